// Loaded with --import into a measured process: writes its CPU time and peak memory to $MEASURE at exit.
import { writeFileSync } from 'node:fs';

const target = process.env.MEASURE;
if (target !== undefined) {
  process.once('exit', () => {
    const { userCPUTime, systemCPUTime, maxRSS } = process.resourceUsage();
    const cpuMs = (userCPUTime + systemCPUTime) / 1000;
    writeFileSync(target, JSON.stringify({ cpuMs, rssMb: maxRSS / 1024 }));
  });
}
