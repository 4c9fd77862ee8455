// Loaded with --import into a measured process: writes its CPU time and peak memory to $MEASURE at exit.
import { writeFileSync } from 'node:fs';

process.on('exit', () => {
  const { userCPUTime, systemCPUTime, maxRSS } = process.resourceUsage();
  const cpuMs = (userCPUTime + systemCPUTime) / 1000;
  writeFileSync(process.env.MEASURE, JSON.stringify({ cpuMs, rssMb: maxRSS / 1024 }));
});
