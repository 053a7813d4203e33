/**
 * All commands, in the order of --help. The files hold flags and the call; what does the work is imported by
 * their handlers, so that starting costs the same however much there is to start.
 */
import type { Argv } from 'yargs';
import { doctorCommand } from './doctor.ts';
import { exportCommand } from './export.ts';
import { importCommand } from './import.ts';
import { jobsCommand } from './jobs.ts';
import { profileCommand } from './profile.ts';
import { sandboxCommand } from './sandbox.ts';
import { templateCommand } from './template.ts';

export function addCommands<T extends object>(yargs: Argv<T>) {
  return yargs
    .command(importCommand)
    .command(jobsCommand)
    .command(exportCommand)
    .command(templateCommand)
    .command(profileCommand)
    .command(doctorCommand)
    .command(sandboxCommand);
}
