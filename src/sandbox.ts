/**
 * A practice server of the Collection Inventory API, for tests: every rule of the contract, limits, and faults on demand.
 *
 * @example
 * import { startSandbox } from 'shelflift/sandbox';
 * await using sandbox = await startSandbox({ seed: 7 });
 * await using shelf = await open({ apiUrl: sandbox.url, key: sandbox.key, store: ':memory:' });
 */
export { type Sandbox, startSandbox } from './sandbox/sandbox.ts';
