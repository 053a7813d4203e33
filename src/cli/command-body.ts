import type { CommandModule } from 'yargs';

/** The content of a command's file: its flags and its handler. commands/index.ts has its name. */
export type CommandBody<Flags> = Required<Pick<CommandModule<object, Flags>, 'builder' | 'handler'>>;
