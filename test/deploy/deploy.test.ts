import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, readFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join, resolve } from 'node:path';
import { expect, test } from 'vitest';
import { parseDocument } from 'yaml';

const deploy = resolve(import.meta.dirname, '../../deploy');
const text = (name: string) => readFileSync(join(deploy, name), 'utf8');

/** Fields of the Compose specification that these files may use; a typo is none of them. */
const SERVICE_FIELDS = new Set([
  'image',
  'build',
  'user',
  'entrypoint',
  'command',
  'environment',
  'secrets',
  'volumes',
  'healthcheck',
  'restart',
  'depends_on',
  'read_only',
  'tmpfs',
  'cap_add',
  'cap_drop',
  'security_opt',
  'network_mode',
  'mem_limit',
  'logging',
  'stop_grace_period',
]);

interface Service {
  build?: { context: string; dockerfile: string };
  volumes?: string[];
  environment?: Record<string, string>;
  secrets?: string[];
  depends_on?: Record<string, { condition: string }>;
  entrypoint?: string[];
  restart?: string;
  mem_limit?: string;
  logging?: { options: Record<string, string> };
}

interface Compose {
  services: Record<string, Service>;
  volumes: Record<string, unknown>;
  secrets: Record<string, { file: string }>;
}

function compose(): Compose {
  const document = parseDocument(text('compose.yaml'), { strict: true, merge: true });
  expect(document.errors).toEqual([]);
  return document.toJS() as Compose;
}

test('the compose file is valid, and names existing files', () => {
  const { services, volumes } = compose();
  for (const [name, service] of Object.entries(services))
    for (const field of Object.keys(service)) expect(SERVICE_FIELDS, name).toContain(field);
  const { worker } = services;
  expect(worker).toMatchObject({ read_only: true, cap_drop: ['ALL'] });
  const { context = '', dockerfile = '' } = worker?.build ?? {};
  expect(existsSync(resolve(deploy, context, dockerfile))).toBe(true);
  for (const service of Object.values(services)) {
    for (const needed of Object.keys(service.depends_on ?? {}))
      expect(Object.keys(services)).toContain(needed);
    for (const volume of service.volumes ?? [])
      if (!volume.startsWith('.')) expect(Object.keys(volumes)).toContain(volume.split(':')[0]);
  }
});

test('./out and ./drop of a configuration are writable under compose, and the configuration is not', () => {
  const { worker, folders } = compose().services;
  const writable = (worker?.volumes ?? []).filter((volume) => !volume.endsWith(':ro'));
  expect(writable).toEqual(['./out:/config/out', './drop:/config/drop', 'state:/state']);
  expect(worker?.volumes).toContain('./shelflift.yaml:/config/shelflift.yaml:ro');
  // Whom they belong to is seen to before the worker starts.
  expect(folders?.volumes).toEqual(writable);
  expect(folders?.entrypoint).toEqual([
    'chown',
    expect.stringContaining('SHELFLIFT_USER'),
    ...writable.map((each) => each.split(':')[1]),
  ]);
  expect(worker?.depends_on?.['folders']).toEqual({ condition: 'service_completed_successfully' });
});

test('compose reads secrets only from files, and limits memory and logs of running services', () => {
  const { services, secrets } = compose();
  // No secret has a value here, and none comes from .env.
  expect(text('compose.yaml')).not.toMatch(/\$\{[^}]*(PASSWORD|KEY)/);
  for (const { environment = {} } of Object.values(services))
    for (const [name, value] of Object.entries(environment))
      if (/PASSWORD|KEY/.test(name))
        expect([name, value]).toEqual([
          expect.stringMatching(/_FILE$/),
          expect.stringMatching(/^\/run\/secrets\//),
        ]);
  for (const service of Object.values(services))
    for (const secret of service.secrets ?? []) expect(Object.keys(secrets)).toContain(secret);
  for (const { restart, mem_limit, logging } of Object.values(services)) {
    expect(logging?.options).toMatchObject({
      'max-size': expect.any(String) as string,
      'max-file': expect.any(String) as string,
    });
    if (restart !== undefined) expect(mem_limit).toMatch(/^\d+[mg]$/);
  }
});

test('the image has only production dependencies, and its health check starts no Node', () => {
  const dockerfile = text('Dockerfile');
  const [, dependencies = ''] = /AS dependencies\n([\s\S]*?)\nFROM /.exec(dockerfile) ?? [];
  for (const line of dependencies.split('\n').filter((each) => each.includes('npm ')))
    expect(line).toContain('--omit=dev');
  expect(dockerfile).toContain('COPY --from=dependencies /build/node_modules ./node_modules');
  const [, check = ''] = /^HEALTHCHECK .* CMD (\[.*\])$/m.exec(dockerfile) ?? [];
  expect((JSON.parse(check) as string[])[0]).toBe('bash');
});

test('the image’s health check succeeds only while the worker runs', async () => {
  const [, check = ''] = /^HEALTHCHECK .* CMD (\[.*\])$/m.exec(text('Dockerfile')) ?? [];
  let status = 200;
  const server = createServer((_request, response) => void response.writeHead(status).end('ok'));
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  const [command = '', ...words] = JSON.parse(check) as string[];
  const run = async () => {
    const child = spawn(
      command,
      words.map((word) => word.replace('9464', String(port))),
      { stdio: 'ignore' },
    );
    const [code] = (await once(child, 'exit')) as [number];
    return code === 0;
  };
  expect(await run()).toBe(true);
  status = 503;
  expect(await run()).toBe(false);
  server.close();
  server.closeAllConnections();
  await once(server, 'close');
  expect(await run()).toBe(false);
});

test('the image runs as an unprivileged user, and copies existing files', () => {
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

test('the unit makes ./out and ./drop of a configuration writable, and does not restart with an invalid configuration', () => {
  const unit = text('shelflift-worker.service');
  const all = (key: string) =>
    [...unit.matchAll(new RegExp(`^${key}=(.*)$`, 'gm'))].map(([, value = '']) => value);
  const folder = /--config (\S+)\/shelflift\.yaml/.exec(all('ExecStart')[0] ?? '')?.[1] ?? '';
  const writable = (all('ReadWritePaths')[0] ?? '').split(' ').map((each) => each.replace(/^-/, ''));
  expect(writable).toEqual([`${folder}/out`, `${folder}/drop`]);
  // Made by root, outside the sandbox, for the worker's user.
  const [making = ''] = all('ExecStartPre').filter((each) => each.startsWith('+'));
  for (const path of writable) expect(making).toContain(path);
  expect(making).toContain(`--owner=${all('User')[0] ?? ''}`);
  expect(all('LoadCredential')).toEqual([expect.stringMatching(/^api-key:\//)]);
  expect(all('Environment').join(' ')).toContain('SHELFLIFT_API_KEY_FILE=%d/api-key');
  expect(all('MemoryMax')).toEqual([expect.stringMatching(/^\d+[MG]$/)]);
  expect(all('RestartPreventExitStatus')).toEqual(['2']);
});

const ANALYZE = '/usr/bin/systemd-analyze';

test.skipIf(!existsSync(ANALYZE))('systemd finds no mistake in the unit', () => {
  const { status, stderr } = spawnSync(ANALYZE, ['verify', join(deploy, 'shelflift-worker.service')], {
    encoding: 'utf8',
  });
  expect(stderr).not.toContain('shelflift-worker.service');
  expect(status).toBe(0);
});
