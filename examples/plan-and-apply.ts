/** Plans a change, looks at it field by field, applies it, and takes it back. */
import { open } from 'shelflift';
import { startSandbox } from 'shelflift/sandbox';

await using sandbox = await startSandbox({ seed: 7 });
await using shelf = await open({ apiUrl: sandbox.url, key: sandbox.key, store: 'changes.db' });

const plan = await shelf.plan({ set: ['status=archived'] }, { status: 'sold' });
console.log('to change', (plan.summary.plan?.update ?? 0) > 0);
let shown = 0;
for await (const { name, changes } of plan.changes()) {
  for (const { field, from, to } of changes) console.log(`${name}: ${field} ${String(from)} → ${String(to)}`);
  if ((shown += 1) === 3) break;
}
const applied = await plan.apply();
console.log('applied', applied.rows.updated > 0, applied.state);

const undone = await shelf.jobs.undo(plan.job);
console.log('undone', undone.rows.updated === applied.rows.updated);
