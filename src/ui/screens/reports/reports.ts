/** Screen 11: files for somebody else, or for oneself: the library's reports and exports, kept in a private folder. */
import { readdir, readFile, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { exportItems } from '../../../export/export.ts';
import type { ImportEvent } from '../../../import/job/events.ts';
import { makeFolder } from '../../../make-folder.ts';
import { writeReportFile } from '../../../reports/report.ts';
import { progressEvents } from '../../jobs/progress.ts';
import { sendFile } from '../../jobs/send-file.ts';
import type { Workspace } from '../../jobs/workspace.ts';
import { render } from '../../layout.ts';
import { problem } from '../../problem.ts';
import type { Ui, UiApp } from '../../ui.ts';
import { TEXTS } from './texts.ts';
import { makingView, READERS, type Reader, reportsView } from './view.ts';

const RUN = 'reports';
/** Names are made here and nowhere else: day, time, reader, ending. */
const NAME = /^[a-z]+-\d{4}-\d{2}-\d{2}-\d{6}\.(html|xlsx)$/;

export function reportsScreen(app: UiApp, ui: Ui): void {
  const folder = join(ui.folder, 'reports');
  app.get('/reports', async (c) => {
    const { visitor, workspace } = c.var;
    const run = workspace.run(RUN);
    const { title } = TEXTS[visitor.language];
    if (run !== undefined && !run.isOver) return render(c, { title, body: makingView(visitor, run) });
    return render(c, { title, body: reportsView(visitor, await filesIn(folder), run?.error?.message) });
  });
  app.post('/reports', (c) => {
    const { workspace, form } = c.var;
    const reader = READERS.find((each) => each === form.get('for')) ?? 'yourself';
    const currency = (form.get('currency') ?? '').trim();
    workspace.start(RUN, 'reporting', async (deps) => {
      makeFolder(folder, 0o700);
      await make(reader, currency, folder, { workspace, signal: deps.signal, emit: deps.emit });
      return undefined;
    });
    return c.redirect('/reports', 303);
  });
  app.get('/reports/:name', async (c) => {
    const name = c.req.param('name');
    return NAME.test(name) ? sendFile(c, join(folder, name), name) : problem(c, 'notFound', 404);
  });
  app.get('/reports/:name/view', async (c) => {
    const name = c.req.param('name');
    const text =
      NAME.test(name) && name.endsWith('.html')
        ? await readFile(join(folder, name), 'utf8').catch(() => undefined)
        : undefined;
    // A report names its own style and script by their hashes, and nothing else may run in it.
    const policy = /http-equiv="Content-Security-Policy" content="([^"]+)"/.exec(text ?? '')?.[1];
    if (text === undefined || policy === undefined) return problem(c, 'notFound', 404);
    const own = policy.replaceAll('&#39;', "'");
    return c.html(text, 200, { 'Content-Security-Policy': `${own}; frame-ancestors 'none'` });
  });
  app.post('/reports/:name/remove', async (c) => {
    const name = c.req.param('name');
    if (NAME.test(name)) await rm(join(folder, name), { force: true });
    return c.redirect('/reports', 303);
  });
  progressEvents(app, ui, '/reports-events', () => '/reports', RUN);
}

async function make(
  reader: Reader,
  currency: string,
  folder: string,
  {
    workspace,
    signal,
    emit,
  }: { workspace: Workspace; signal: AbortSignal; emit: (event: ImportEvent) => void },
): Promise<void> {
  const { client, ledger } = workspace;
  const stamp = new Date().toISOString().slice(0, 19).replaceAll(':', '').replace('T', '-');
  const out = join(folder, `${reader}-${stamp}.${reader === 'insurer' ? 'html' : 'xlsx'}`);
  const deps = { client, values: ledger.values, signal };
  emit({ type: 'staging', rows: 0 });
  if (reader === 'yourself') {
    await exportItems({ client, values: ledger.values, out, signal });
    return;
  }
  const report = ({ insurer: 'inventory', accountant: 'sales', marketplace: 'listings' } as const)[reader];
  await writeReportFile(
    { report, out, ...(currency === '' || report !== 'sales' ? {} : { currency }) },
    deps,
  );
}

async function filesIn(folder: string): Promise<{ name: string; at: number; bytes: number }[]> {
  const names = await readdir(folder).catch(() => []);
  const files = await Promise.all(
    names
      .filter((name) => NAME.test(name))
      .map(async (name) => {
        const { mtimeMs, size } = await stat(join(folder, name));
        return { name, at: mtimeMs, bytes: size };
      }),
  );
  return files.sort((a, b) => b.at - a.at);
}
