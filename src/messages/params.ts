/**
 * Every message, with its parameters: the one list that texts, types, checks of stored messages, and the golden file are
 * made from. Each area has a file here and one in each language.
 */
import { joined } from '../base/joined.ts';
import { ACTIONS } from './params/actions.ts';
import { API } from './params/api.ts';
import { CELLS, LIKELY, WHOLE_COLUMNS } from './params/cells.ts';
import { CHECKS } from './params/checks.ts';
import { CHANGES } from './params/changes.ts';
import { CORRECTIONS } from './params/corrections.ts';
import { STAGING } from './params/staging.ts';
import { MATCHES } from './params/matches.ts';
import { COLUMNS } from './params/columns.ts';
import { COMMAND } from './params/command.ts';
import { TERMINAL } from './params/terminal.ts';
import { DIALOGUE } from './params/dialogue.ts';
import { EXPORTS } from './params/exports.ts';
import { FILES } from './params/files.ts';
import { JOBS } from './params/jobs.ts';
import { OUTPUTS } from './params/outputs.ts';
import { LISTS } from './params/lists.ts';
import { PAGE } from './params/page.ts';
import { PLAN } from './params/plan.ts';
import { PROGRAM } from './params/program.ts';
import { REPORTS } from './params/reports.ts';
import { ROWS } from './params/rows.ts';
import { RUNS } from './params/runs.ts';
import { SENDING } from './params/sending.ts';
import { SETTINGS } from './params/settings.ts';
import { STORY } from './params/story.ts';
import { STORE } from './params/store.ts';
import { TEMPLATES } from './params/templates.ts';
import { WORKER } from './params/worker.ts';
import type { Kind } from './params/kinds.ts';

export type { Kind } from './params/kinds.ts';

/** What a parameter can be, and its type. */
export interface Kinds {
  /** A whole number, 0 or more. */
  count: number;
  /** Any number, shown as it is. */
  number: number;
  /** A span of time, ms. */
  ms: number;
  /** A moment, ms since the epoch. */
  time: number;
  /** A text of the file, of a person, or a name: shown as it is. Never a sentence of shelflift. */
  text: string;
  /** What another program says, in its own words: the system, a server, a function of the user. */
  foreign: string;
  /** Several of them. */
  texts: readonly string[];
  /** A field of an item, or `custom_fields.NAME`. */
  field: string;
  /** A message within the message. */
  message: Message;
  /** Several of them. */
  messages: readonly Message[];
  /** True or false. */
  yes: boolean;
}

export const CELL_NOTES = Object.keys(CELLS) as (keyof typeof CELLS)[];
export const LIKELY_NOTES = Object.keys(LIKELY) as (keyof typeof LIKELY)[];

export const PARAMS = joined(
  FILES,
  COLUMNS,
  CELLS,
  WHOLE_COLUMNS,
  ROWS,
  CHANGES,
  CHECKS,
  CORRECTIONS,
  STAGING,
  MATCHES,
  JOBS,
  PLAN,
  STORE,
  API,
  SENDING,
  SETTINGS,
  LISTS,
  EXPORTS,
  REPORTS,
  TEMPLATES,
  WORKER,
  PROGRAM,
  COMMAND,
  TERMINAL,
  OUTPUTS,
  DIALOGUE,
  RUNS,
  STORY,
  PAGE,
  ACTIONS,
);

/** The code of a message: stable, snake_case. */
export type MessageCode = keyof typeof PARAMS;

/** Values of parameters that are declared so. */
export type ValuesOf<P> = {
  readonly [Name in keyof P as P[Name] extends Kind ? Name : never]: Kinds[P[Name] & Kind];
} & {
  readonly [Name in keyof P as P[Name] extends `${Kind}?` ? Name : never]?: P[Name] extends `${infer K}?`
    ? Kinds[K & Kind]
    : never;
};

/** The parameters of a code's messages. */
export type MessageParams<C extends MessageCode> = ValuesOf<(typeof PARAMS)[C]>;

/** Options of a command, as the command line spells them, without dashes: `{ yes: true, map: ['name=Title'] }`. */
export type ActionOptions = Readonly<Record<string, string | true | readonly string[]>>;

/** The properties of every action. */
export interface Labelled {
  /** Its purpose; names no command and no option. */
  label: Message;
}

/** An option to set on the command or call that gave the message. */
export interface SetOption extends Labelled {
  /** Kind of action. */
  do: 'setOption';
  /** Name of the option, as the command line spells it, without dashes. */
  option: string;
  /** Its value; absent for an option without one. Words in capitals are placeholders. */
  value?: string;
  /** Further options that go with it. */
  also?: ActionOptions;
}

/** A step of a job. */
export interface JobAction extends Labelled {
  /** The verb of `jobs`. */
  do: 'apply' | 'cancel' | 'mend' | 'resolve' | 'results' | 'resume' | 'show' | 'undo';
  /** Id of the job. */
  job: string;
  /** Row of the job's file. */
  row?: number;
  /** Options of the verb. Words in capitals are placeholders. */
  options?: ActionOptions;
}

/** Another command of shelflift. */
export interface RunCommand extends Labelled {
  /** Kind of action. */
  do: 'run';
  /** Its words: `template list`. */
  command: string;
  /** Its arguments. Words in capitals are placeholders. */
  args?: readonly string[];
  /** Its options. */
  options?: ActionOptions;
}

/** What a person does outside shelflift: the label is a whole sentence. */
export interface ByHand extends Labelled {
  /** Kind of action. */
  do: 'byHand';
}

/**
 * A possible action, as data: the command line shows a command, the page a button, and a program passes the action on.
 */
export type Action = SetOption | JobAction | RunCommand | ByHand;

/**
 * A fact for a person, as data; `textOf` gives the sentence, and `isMessage` the types of its parameters.
 *
 * Not the union of all messages, because TypeScript cannot compare unions of 1000 objects.
 */
export interface Message {
  /** The code of the message. */
  readonly code: MessageCode;
  /** The parameters, by name. */
  readonly params: Readonly<Record<string, Kinds[Kind]>>;
  /** Possible actions. */
  readonly actions?: readonly Action[];
}

/** A message of one code. */
export type MessageOf<C extends MessageCode> = Message & {
  /** The code of the message. */
  readonly code: C;
  /** The parameters. */
  readonly params: MessageParams<C>;
};
