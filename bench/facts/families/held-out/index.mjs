// Families for the judgement alone: nobody tunes the summarizer on them.
import { cppRobot } from './cpp-robot.mjs';
import { infra } from './infra.mjs';
import { javaBilling } from './java-billing.mjs';
import { railsClinic } from './rails-clinic.mjs';
import { rustStorage } from './rust-storage.mjs';

export const HELD_OUT = [cppRobot, infra, javaBilling, railsClinic, rustStorage];
