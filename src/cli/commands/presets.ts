import { findPreset, PRESETS } from '../../presets/presets.ts';
import { formatFlag } from '../../specs/format.ts';
import type { Io } from '../io.ts';
import { columns } from './formats.ts';

/** `ctx presets`: the list, or one as flags that can be pasted. */
export function presetsCommand(
  name: string | undefined,
  flags: { readonly json?: boolean },
  io: Io,
): number {
  if (name === undefined) {
    const rows = PRESETS.map((preset) => [preset.name, preset.summary]);
    io.stdout.write(flags.json === true ? json(PRESETS.map(facts)) : columns(rows));
    return 0;
  }
  const preset = findPreset(name);
  const steps = [...preset.specs.map(formatFlag), ...(preset.emergency ? ['--emergency'] : [])];
  io.stdout.write(flags.json === true ? json(facts(preset)) : `${steps.join(' \\\n')}\n`);
  return 0;
}

function facts(preset: (typeof PRESETS)[number]): unknown {
  const flags = [...preset.specs.map(formatFlag), ...(preset.emergency ? ['--emergency'] : [])];
  return { name: preset.name, summary: preset.summary, flags };
}

function json(value: unknown): string {
  return `${JSON.stringify(value, null, 2)}\n`;
}
