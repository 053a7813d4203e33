/** The context of every screen: the services of the page, and the visitor. */
import type { HttpBindings } from '@hono/node-server';
import type { Context, Hono } from 'hono';
import type { UiSession } from './guards/sessions.ts';
import type { Accounts } from './jobs/accounts.ts';
import type { Passwords } from './jobs/passwords.ts';
import type { Workspace } from './jobs/workspace.ts';
import type { Spool } from './spool.ts';
import type { Language, Wording } from './texts.ts';

export const THEMES = ['auto', 'light', 'dark'] as const;
export type Theme = (typeof THEMES)[number];

/** Maximum size of a form without a file. */
export const MAX_FORM_BYTES = 8 * 1024 * 1024;

/** The services behind the screens. */
export interface Ui {
  accounts: Accounts;
  spool: Spool;
  passwords: Passwords;
  /** Private folder for files that screens write: reports, lists of duplicates. */
  folder: string;
  /** Path of shelflift.yaml, which may not exist yet. */
  configFile: string;
  environment: NodeJS.ProcessEnv;
  timeoutMs: number;
  /** Ends the page and its process, once the answer under way has arrived. */
  quit: () => void;
  /** Aborts when the process ends. */
  signal: AbortSignal;
}

/** The person who looks at the page, and the language of its texts. */
export interface Visitor {
  language: Language;
  theme: Theme;
  words: Wording;
  session: UiSession;
}

export interface UiEnv {
  Bindings: HttpBindings;
  Variables: {
    visitor: Visitor;
    /** Fields of a form; empty for a GET and for an upload, which reads its own. */
    form: URLSearchParams;
    /** Set on every screen except the one where an account is chosen. */
    workspace: Workspace;
  };
}
export type UiApp = Hono<UiEnv>;
export type UiContext = Context<UiEnv>;
