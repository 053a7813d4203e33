/**
 * Screen 10: groups of items that look the same. The person chooses which item of each group stays; the plan follows,
 * as for any change.
 */
import { createReadStream } from 'node:fs';
import { mkdir, mkdtemp, rm } from 'node:fs/promises';
import { join } from 'node:path';
import {
  type DuplicateGroup,
  type Duplicates,
  findDuplicates,
} from '../../../import/similar/find-duplicates.ts';
import type { JobDeps } from '../../../import/job/deps.ts';
import { writeDuplicates } from '../../../import/similar/write-duplicates.ts';
import type { Item } from '../../../api/schemas.ts';
import { progressEvents } from '../../jobs/progress.ts';
import type { Run } from '../../jobs/run.ts';
import { render } from '../../layout.ts';
import type { Ui, UiApp } from '../../ui.ts';
import { startReading } from '../file/file.ts';
import { TEXTS } from './texts.ts';
import { duplicatesView, searchingView } from './view.ts';

const RUN = 'duplicates';

export function duplicatesScreen(app: UiApp, ui: Ui): void {
  /** Results of searches. After a restart the search is repeated, because the items may have changed. */
  const found = new WeakMap<Run, Duplicates>();
  app.get('/duplicates', (c) => {
    const { visitor, workspace } = c.var;
    const run = workspace.run(RUN);
    const { title } = TEXTS[visitor.language];
    if (run !== undefined && !run.isOver) return render(c, { title, body: searchingView(visitor, run) });
    const result = run === undefined ? undefined : found.get(run);
    return render(c, { title, body: duplicatesView(visitor, result, run?.error) });
  });
  app.post('/duplicates', async (c) => {
    const { workspace, form } = c.var;
    const close = form.get('close') === 'yes';
    const work = async ({ client, signal, emit }: JobDeps) => {
      const onRead = (rows: number) => emit({ type: 'staging', rows });
      const result = await findDuplicates({ client, close, signal, onRead });
      const run = workspace.run(RUN);
      if (run !== undefined) found.set(run, result);
      return undefined;
    };
    await workspace.start(RUN, 'looking', work, { asked: close });
    return c.redirect('/duplicates', 303);
  });
  app.post('/duplicates/plan', async (c) => {
    const { workspace, form } = c.var;
    const run = workspace.run(RUN);
    const result = run === undefined ? undefined : found.get(run);
    if (result === undefined) return c.redirect('/duplicates', 303);
    const kept =
      form.get('keep') === 'complete' ? { ...result, groups: result.groups.map(mostCompleteFirst) } : result;
    await mkdir(ui.folder, { recursive: true, mode: 0o700 });
    const folder = await mkdtemp(join(ui.folder, 'duplicates-'));
    try {
      const name = `${TEXTS[c.var.visitor.language].fileName}.csv`;
      const file = join(folder, name);
      await writeDuplicates(kept, { out: file, suggest: true });
      const upload = await ui.spool.add(name, createReadStream(file));
      await startReading(upload.id, workspace, ui);
      return c.redirect(`/file/${upload.id}/reading`, 303);
    } finally {
      await rm(folder, { recursive: true, force: true });
    }
  });
  progressEvents(app, ui, '/duplicates/events', () => '/duplicates', RUN);
}

/** The first item of a group stays: the oldest item, or the item with the most values. */
function mostCompleteFirst(group: DuplicateGroup): DuplicateGroup {
  return { ...group, items: [...group.items].sort((a, b) => filled(b) - filled(a)) };
}

function filled(item: Item): number {
  const { custom_fields = {}, tags = [], ...fields } = item;
  const values = Object.values(fields).filter((value) => value !== null && value !== '');
  return values.length + Object.keys(custom_fields).length + tags.length;
}
