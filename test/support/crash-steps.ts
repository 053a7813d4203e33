/** Every durable step of an import, and what lies between them, in the order in which they happen. */
export const CRASH_STEPS = [
  'rows staged',
  'job visible',
  'plan committed',
  'lane taken',
  'taken over',
  'head of the list seen',
  'intent made',
  'intent committed',
  'request about to leave',
  'request under way',
  'answer received',
  'outcome known',
  'outcome committed',
  'what was learned committed',
  'lost answer committed',
  'settling has found it',
  'what settling found committed',
  'settling has not found it',
  'release committed',
  'job ended',
  'end of the job committed',
  'results written',
  'results noted',
] as const;

export type CrashStep = (typeof CRASH_STEPS)[number];
