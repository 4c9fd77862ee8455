/** The library: the command line is a thin layer over what is exported here. */

export { type CompactOptions, compactFile, explainSource } from './compact.ts';
export { CtxError, EXIT } from './errors.ts';
export { openSource } from './load/file.ts';
export { defaultOutput } from './load/paths.ts';
export { memorySource, type Source } from './load/source.ts';
export {
  apply,
  type Compacted,
  compact,
  type MemoryOptions,
  plan,
  restore,
  retrieve,
  type Step,
} from './memory.ts';
export type {
  Block,
  BlockKind,
  Conversation,
  Finding,
  Message,
  Placeholder,
  Role,
} from './model/conversation.ts';
export { parse } from './parse.ts';
export type { BlockDecision, Decision, GapDecision } from './plan/decision.ts';
export type { Plan } from './plan/plan.ts';
export {
  type Measured,
  measureTranscript as measure,
  type Prepared,
  type PrepareOptions,
} from './prepare.ts';
export { findPreset, PRESETS, type Preset } from './presets/presets.ts';
export type { Action, BlockRow, Report, StrategyReport, TokenTotals } from './report/report.ts';
export { type Restored, type RestoreOptions, restoreFile } from './restore.ts';
export type { Decoded } from './retrieve/decode.ts';
export { parseSpec } from './specs/parse.ts';
export type { Method, StrategySpec, Target } from './specs/spec.ts';
export type { Section, Sections, Stats } from './stats/stats.ts';
export { type StatsOptions, statsOf } from './stats.ts';
export type {
  External,
  Summarizer,
  SummaryAnswer,
  SummaryItem,
  SummaryRequest,
} from './summarize/summarizer.ts';
export { type VerifyReport, verifyFile } from './verify/file.ts';
export { VERSION } from './version.ts';
