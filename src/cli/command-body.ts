import type { CommandModule } from 'yargs';

/** What a command's file says of it: its flags, and what it does. Its name stands in commands/index.ts. */
export type CommandBody<Flags> = Required<Pick<CommandModule<object, Flags>, 'builder' | 'handler'>>;
