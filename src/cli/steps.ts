import { findPreset } from '../presets/presets.ts';
import { parseSpec } from '../specs/parse.ts';
import type { StrategySpec } from '../specs/spec.ts';
import type { StepFlag } from './options.ts';

export interface Steps {
  readonly specs: readonly StrategySpec[];
  readonly emergency: boolean;
}

/** The steps that flags and presets ask for, in their order; without any, the preset auto. */
export function readSteps(flags: readonly StepFlag[], emergency = false): Steps {
  const asked = flags.length === 0 && !emergency ? [{ preset: 'auto' }] : flags;
  const parts = asked.map((flag) => {
    if (!('preset' in flag))
      return { specs: [parseSpec(flag.method, flag.spec)], emergency: false };
    const preset = findPreset(flag.preset);
    return { specs: preset.specs, emergency: preset.emergency };
  });
  return {
    specs: parts.flatMap((part) => part.specs),
    emergency: emergency || parts.some((part) => part.emergency),
  };
}
