/** Plans a change, shows it field by field, applies it, and takes it back. */
import { applyPlan, changeItems, createClient, jobChanges, startSandbox, undoChanges } from 'shelflift';

await using sandbox = await startSandbox({ seed: 7 });
await using client = createClient({ apiUrl: sandbox.url, key: sandbox.key });
const context = { client, store: 'changes.db' };

const plan = await changeItems({ ...context, changes: ['status=archived'], status: ['sold'], dryRun: true });
const { job } = plan.summary;
for await (const rows of jobChanges({ job, store: context.store })) {
  for (const row of rows.slice(0, 3)) console.log(row);
}

const applied = await applyPlan({ ...context, job });
console.log('applied', applied.summary.rows.updated > 0, applied.summary.state);

const undone = await undoChanges({ ...context, job });
console.log('undone', undone.summary.rows.updated === applied.summary.rows.updated);
