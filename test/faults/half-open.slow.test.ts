import { describe, expect, it } from 'vitest';
import { toyNames, toys } from '../support/csv.ts';
import { expectExactlyOnce } from '../support/exactly-once.ts';
import { startHalfOpenProxy } from '../support/half-open-proxy.ts';
import { openImport } from '../support/open-import.ts';

describe.concurrent('an import whose connections go half-open', () => {
  it.each(['both', 'answers'] as const)('takes longer but loses no row (messages lost: %s)', async (what) => {
    await using it = await openImport({ latencyMs: 15 });
    await using proxy = await startHalfOpenProxy(it.sandbox.url);
    const file = await it.file('toys.csv', toys(60));
    let stalled = 0;
    const { summary, exitCode } = await it.import(
      { file },
      {
        // The job remembers the API by its name: the proxy is only another way there.
        client: { apiUrl: proxy.url, target: it.sandbox.url, timeoutMs: 1_500 },
        onEvent: (event) => {
          if (event.type !== 'sending' || event.done < 10 || stalled > 0) return;
          proxy.stall(what);
          stalled = proxy.stalled();
        },
      },
    );
    expect(stalled).toBeGreaterThan(0);
    expect({ exitCode, state: summary.state }).toEqual({ exitCode: 0, state: 'done' });
    expect(await expectExactlyOnce(it.ledger, summary.job, it.items())).toEqual({ created: 60, held: 0 });
    expect(it.names()).toEqual(toyNames(60));
  });
});
