/** The library: the command line is a thin layer over what is exported here. */

export { compactFile, defaultOutput, explainSource, type CompactOptions } from './compact.ts';
export { CtxError, EXIT } from './errors.ts';
export { openSource } from './load/file.ts';
export { memorySource, type Source } from './load/source.ts';
export { apply, compact, plan, restore, retrieve, type Compacted, type MemoryOptions, type Step } from './memory.ts';
export type { Block, BlockKind, Conversation, Finding, Message, Placeholder, Role } from './model/conversation.ts';
export type { BlockDecision, Decision, GapDecision } from './plan/decision.ts';
export type { Plan } from './plan/plan.ts';
export { measureTranscript as measure, type Measured, type Prepared, type PrepareOptions } from './prepare.ts';
export { findPreset, PRESETS, type Preset } from './presets/presets.ts';
export type { Action, BlockRow, Report, StrategyReport, TokenTotals } from './report/report.ts';
export { restoreFile, type Restored, type RestoreOptions } from './restore.ts';
export type { Decoded } from './retrieve/decode.ts';
export { parseSpec } from './specs/parse.ts';
export type { Method, StrategySpec, Target } from './specs/spec.ts';
export type { Summarizer, SummaryItem, SummaryRequest } from './summarize/summarizer.ts';
export { parse } from './parse.ts';
export { VERSION } from './version.ts';
export { verifyFile, type VerifyReport } from './verify/file.ts';
