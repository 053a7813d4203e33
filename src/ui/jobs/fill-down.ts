/** The offer to fill blank cells with the cell above, as below group headings: shown if it can be accepted. */
import { jobOffers } from '../../import/correction/job-rows.ts';
import type { FillDownOffer } from '../../import/stage/fill-down.ts';
import type { JobRecord, Ledger } from '../../ledger/ledger.ts';
import { foreign, html, type Html } from '../html.ts';
import { formToken } from '../layout.ts';
import { catalogue } from '../texts.ts';
import type { UiApp, Visitor } from '../ui.ts';
import { mendAndGo } from './mend.ts';
import { JOB_KINDS } from '../../import/job/job-kinds.ts';

const TEXTS = catalogue(
  {
    blank: (n: string, all: string) => `is blank in ${n} of ${all} rows, each time below a filled cell.`,
    fill: 'Take the value above',
    leave: 'Leave them blank',
  },
  {
    blank: (n: string, all: string) =>
      `ist in ${n} von ${all} Zeilen leer, jedes Mal unter einer gefüllten Zelle.`,
    fill: 'Den Wert darüber nehmen',
    leave: 'Leer lassen',
  },
);

const SCREENS = ['plan', 'mend'] as const;
type Screen = (typeof SCREENS)[number];

/** No offers once rows were sent: those rows would keep their blanks. */
export async function offersOf(job: JobRecord, ledger: Ledger): Promise<FillDownOffer[]> {
  return JOB_KINDS[job.kind].bringsTable && job.firstSentAt === undefined ? jobOffers(job.id, ledger) : [];
}

export function fillDownView(
  visitor: Visitor,
  job: JobRecord,
  offers: readonly FillDownOffer[],
  screen: Screen,
): Html {
  const t = TEXTS[visitor.language];
  const n = (value: number) => visitor.words.count(value);
  return html`${offers.map(
    ({ field, header, rows, blank }) =>
      html`<section class="message"><p><strong>${foreign(header, 60)}</strong> ${t.blank(n(blank), n(rows))}</p>
<form method="post" action="/job/${job.id}/fill-down" class="actions">${formToken(visitor)}<input type="hidden" name="field" value="${field}"><input type="hidden" name="screen" value="${screen}"><button name="fill" value="yes">${t.fill}</button><button class="plain" name="fill" value="no">${t.leave}</button></form></section>`,
  )}`;
}

export function fillDown(app: UiApp): void {
  app.post('/job/:id/fill-down', async (c) => {
    const { form, workspace } = c.var;
    const { ledger } = workspace;
    const job = await ledger.jobs.find(c.req.param('id'));
    const screen = SCREENS.find((each) => each === form.get('screen')) ?? 'plan';
    const next = `/job/${job.id}/${screen}`;
    const offer = (await offersOf(job, ledger)).find(({ field }) => field === form.get('field'));
    if (offer === undefined) return c.redirect(next, 303);
    const { field } = offer;
    const value = form.get('fill') === 'yes';
    return mendAndGo(c, job, { changes: [{ type: 'option', field, option: 'fillDown', value }] }, next);
  });
}
