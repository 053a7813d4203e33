import { spawnSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { expect, test } from 'vitest';
import { parseDocument } from 'yaml';

const deploy = resolve(import.meta.dirname, '../../deploy');
const text = (name: string) => readFileSync(join(deploy, name), 'utf8');

/** Fields of the Compose specification that this file may use; a typo is none of them. */
const SERVICE_FIELDS = new Set([
  'image',
  'build',
  'environment',
  'volumes',
  'healthcheck',
  'restart',
  'depends_on',
  'read_only',
  'tmpfs',
  'cap_drop',
  'security_opt',
  'stop_grace_period',
]);

interface Service {
  read_only?: boolean;
  volumes?: string[];
  build?: { context: string; dockerfile: string };
  depends_on?: Record<string, { condition: string }>;
  cap_drop?: string[];
}

test('the compose file is right, names files that are there, and gives the worker nothing to write but its state', () => {
  const document = parseDocument(text('compose.yaml'), { strict: true });
  expect(document.errors).toEqual([]);
  const compose = document.toJS() as { services: Record<string, Service>; volumes: Record<string, unknown> };
  expect(Object.keys(compose)).toEqual(['services', 'volumes']);
  for (const service of Object.values(compose.services))
    for (const field of Object.keys(service)) expect(SERVICE_FIELDS).toContain(field);
  const { worker } = compose.services;
  expect(worker).toMatchObject({ read_only: true, cap_drop: ['ALL'] });
  expect(existsSync(resolve(deploy, worker?.build?.context ?? '', worker?.build?.dockerfile ?? ''))).toBe(
    true,
  );
  expect(Object.keys(worker?.depends_on ?? {})).toEqual(['postgres']);
  const writable = (worker?.volumes ?? []).filter((volume) => !volume.endsWith(':ro'));
  expect(writable).toEqual(['state:/state']);
  expect(Object.keys(compose.volumes)).toContain('state');
  // No secret has a value here.
  expect(text('compose.yaml')).not.toMatch(/(PASSWORD|KEY): (?!\$\{)\S/);
});

test('the image runs as a user without rights, and copies files that are there', () => {
  const lines = text('Dockerfile').split('\n');
  const user = lines.findIndex((line) => line === 'USER node');
  expect(user).toBeGreaterThan(lines.findLastIndex((line) => line.startsWith('FROM ')));
  expect(lines.findIndex((line) => line.startsWith('ENTRYPOINT '))).toBeGreaterThan(user);
  const sources = lines
    .filter((line) => line.startsWith('COPY ') && !line.includes('--from'))
    .flatMap((line) => line.split(/\s+/).slice(1, -1));
  for (const source of sources) expect(existsSync(resolve(deploy, '..', source)), source).toBe(true);
  // What is copied is let into the build.
  const ignored = readFileSync(resolve(deploy, '../.dockerignore'), 'utf8').split('\n');
  for (const source of sources) expect(ignored).toContain(`!${source.replace(/^\.\//, '')}`);
  for (const line of lines.filter((each) => each.startsWith('CMD ') || each.startsWith('ENTRYPOINT ')))
    expect(() => JSON.parse(line.replace(/^\w+ /, '')) as unknown).not.toThrow();
});

const ANALYZE = '/usr/bin/systemd-analyze';

test.skipIf(!existsSync(ANALYZE))('systemd finds nothing wrong with the unit', () => {
  const { status, stderr } = spawnSync(ANALYZE, ['verify', join(deploy, 'shelflift-worker.service')], {
    encoding: 'utf8',
  });
  expect(stderr).not.toContain('shelflift-worker.service');
  expect(status).toBe(0);
});
