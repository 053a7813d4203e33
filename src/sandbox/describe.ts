/** The lines that `shelflift sandbox` prints at its start: address, key and unusual settings. */
import { API_PREFIX } from '../api/schemas.ts';
import { toRateLimit } from './rate-limit-text.ts';
import type { Sandbox } from './sandbox.ts';
import { FAULT_KINDS, type SandboxOptions } from './settings.ts';
import { CONTROL_PREFIX } from './wire/control-routes.ts';
import { counted } from '../base/counted.ts';

/** A line to print at the start. */
export interface Described {
  label: string;
  value: string;
}

export function describeSandbox(sandbox: Sandbox, options: SandboxOptions): Described[] {
  const lines: Described[] = [
    { label: 'address', value: sandbox.url },
    { label: 'API', value: `${sandbox.url}${API_PREFIX}` },
    { label: 'key', value: `${sandbox.key} (all scopes; opens this sandbox only)` },
    { label: 'control', value: `${sandbox.url}${CONTROL_PREFIX}/state (this machine only)` },
    { label: 'data', value: options.dataFile ?? 'in memory, lost when the sandbox ends' },
  ];
  const { items } = sandbox.control.counts();
  for (const team of sandbox.teams) {
    const names = team.collections.map(({ name }) => name).join(', ');
    lines.push({
      label: `team ${team.id}`,
      value: `${counted(items[team.id] ?? 0, 'item')}; collections: ${names}`,
    });
  }
  const add = (label: string, value: string | undefined): void => {
    if (value !== undefined && value !== '') lines.push({ label, value });
  };
  if (options.rateLimit !== undefined) {
    const { limit, windowMs } = toRateLimit(options.rateLimit);
    const kind = `${options.limiter ?? 'fixed'}, headers ${options.headers ?? 'draft3'}`;
    add('rate limit', `${counted(limit, 'request')} in ${windowMs / 1000} s a key (${kind})`);
  }
  add(
    'plan limit',
    options.planLimit === undefined ? undefined : `${counted(options.planLimit, 'item')} a team`,
  );
  add('latency', options.latencyMs ? `${options.latencyMs} ms` : undefined);
  add('list lag', options.listLagMs ? `${options.listLagMs} ms` : undefined);
  add('clock', options.clockOffsetMs ? `${options.clockOffsetMs} ms apart` : undefined);
  const storing = Object.entries(options.storing ?? {}).filter(([, on]) => on);
  add('storing', storing.map(([name]) => name).join(', '));
  const faults = FAULT_KINDS.filter((kind) => (options.faults?.[kind] ?? 0) > 0);
  add('faults', faults.map((kind) => `${kind} ${options.faults?.[kind]}`).join(', '));
  return lines;
}
