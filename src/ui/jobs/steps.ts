/** The steps of an import, as a line above each of its screens. */
import { html, type Html } from '../html.ts';
import { catalogue } from '../texts.ts';
import type { Visitor } from '../ui.ts';

export const STEPS = ['file', 'columns', 'words', 'mend', 'plan', 'sending', 'result'] as const;
export type Step = (typeof STEPS)[number];

const TEXTS = catalogue(
  {
    steps: 'Steps',
    file: 'File',
    columns: 'Columns',
    words: 'Words',
    mend: 'Mend',
    plan: 'Plan',
    sending: 'Send',
    result: 'Result',
  },
  {
    steps: 'Schritte',
    file: 'Datei',
    columns: 'Spalten',
    words: 'Wörter',
    mend: 'Korrigieren',
    plan: 'Plan',
    sending: 'Senden',
    result: 'Ergebnis',
  },
);

/** @param links the steps that can be opened from here */
export function stepLine(visitor: Visitor, current: Step, links: Partial<Record<Step, string>>): Html {
  const t = TEXTS[visitor.language];
  const at = STEPS.indexOf(current);
  return html`<nav class="steps" aria-label="${t.steps}"><ol>${STEPS.map((step, index) => {
    const href = links[step];
    const inside =
      step === current
        ? html`<span aria-current="step">${t[step]}</span>`
        : href === undefined
          ? html`<span>${t[step]}</span>`
          : html`<a href="${href}">${t[step]}</a>`;
    return html`<li class="${index < at ? 'past' : step === current ? 'now' : ''}">${inside}</li>`;
  })}</ol></nav>`;
}

/** Links of a job that is read and not yet sent. */
export function plannedLinks(job: string, upload: string | undefined): Partial<Record<Step, string>> {
  const to = (step: Step) => `/job/${job}/${step}`;
  return {
    ...(upload === undefined ? {} : { file: `/file/${upload}` }),
    columns: to('columns'),
    words: to('words'),
    mend: to('mend'),
    plan: to('plan'),
  };
}
