#!/usr/bin/env node
import { setFlagsFromString } from 'node:v8';

// Sessions reach hundreds of megabytes: collect garbage early, so that memory does not grow with the file.
setFlagsFromString('--semi-space-growth-factor=1');
setFlagsFromString('--heap-growing-percent=50');

const { run } = await import('../dist/cli/main.js');
process.exitCode = await run(process.argv.slice(2));
