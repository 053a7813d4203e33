/**
 * Submits files for a worker to import. They are copied into the store's spool, so the originals may change or be
 * removed.
 */
import { copyFile, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { basename, dirname, join, resolve } from 'node:path';
import { newJobId } from '../import/job/job-id.ts';
import type { ImportRequest } from '../import/job/options.ts';
import { UsageError } from '../base/errors.ts';
import { message } from '../messages/message.ts';
import type { Ledger } from '../ledger/ledger.ts';
import { fileError } from '../sheets/file-error.ts';
import { keyQueue, type Queue } from './queue/queue.ts';
import type { Run } from './queue/run.ts';
import { Runs } from './queue/runs.ts';
import type { Spool } from './queue/spool.ts';
import { isTemplateFile } from './tasks/template-path.ts';

export interface SubmitDeps {
  ledger: Ledger;
  queue: Queue;
  spool: Spool;
  /** Lane of the key that the file is for: any worker with this key runs it. */
  laneId: string;
}

/**
 * @returns the queued run; its id is also the id of its job
 * @throws UsageError `bad_choice` for --missing, because nobody reviews the plan
 */
export async function submitImport(request: ImportRequest, deps: SubmitDeps): Promise<Run> {
  const { spool, queue, ledger, laneId } = deps;
  const { file, ...rest } = request;
  if (rest.missing !== undefined)
    throw new UsageError('bad_choice', message('missing_needs_person', {}), {
      actions: [
        {
          do: 'run',
          label: message('to_see_plan', {}),
          command: 'import',
          args: [file],
          options: { missing: rest.missing, 'dry-run': true },
        },
      ],
    });
  const id = newJobId();
  const now = Date.now();
  await spool.put(id, resolve(file)).catch((cause: unknown) => {
    throw fileError(file, cause);
  });
  const { template: named } = rest;
  const template = typeof named === 'string' && isTemplateFile(named) ? named : undefined;
  const run: Run = {
    id,
    queue: keyQueue(laneId),
    priority: 'write',
    work: {
      kind: 'import',
      source: {
        spool: true,
        name: basename(file),
        from: resolve(file),
        ...(template === undefined ? {} : { template: await keepTemplate(id, template, spool) }),
      },
      request: { ...rest, outDir: resolve(rest.outDir ?? dirname(file)) },
    },
    state: 'queued',
    tries: 0,
    createdAt: now,
    notBefore: now,
  };
  await queue.enqueue(run, new Runs(ledger));
  return run;
}

/** A user's own template is stored with the file, under a name that no imported file has. */
async function keepTemplate(id: string, template: string, spool: Spool): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'shelflift-'));
  try {
    const kept = join(folder, `.template.${basename(template)}`);
    await copyFile(resolve(template), kept);
    await spool.put(id, kept);
    return basename(kept);
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}
