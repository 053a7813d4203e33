/** A mail server within the test. */
import { execFileSync } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { SMTPServer } from 'smtp-server';
import { onTestFinished } from 'vitest';

interface Received {
  to: string[];
  text: string;
  secure: boolean;
}

/** A mail server with a certificate of its own authority, or without TLS. */
export async function mailServer(folder: string, tls: boolean) {
  const [key, cert] = [join(folder, 'key.pem'), join(folder, 'cert.pem')];
  execFileSync(
    'openssl',
    [
      'req',
      '-x509',
      '-newkey',
      'rsa:2048',
      '-nodes',
      '-keyout',
      key,
      '-out',
      cert,
      '-days',
      '2',
      '-subj',
      '/CN=localhost',
      '-addext',
      'subjectAltName=DNS:localhost,IP:127.0.0.1',
    ],
    { stdio: 'ignore' },
  );
  const mails: Received[] = [];
  let refusals = 0;
  const server = new SMTPServer({
    key: readFileSync(key),
    cert: readFileSync(cert),
    authOptional: true,
    disabledCommands: tls ? [] : ['STARTTLS'],
    onData(stream, session, done) {
      let text = '';
      stream.on('data', (chunk: Buffer) => (text += chunk.toString()));
      stream.on('end', () => {
        if (refusals > 0) {
          refusals -= 1;
          done(new Error('busy, come again'));
          return;
        }
        mails.push({
          to: session.envelope.rcptTo.map(({ address }) => address),
          text,
          secure: session.secure,
        });
        done();
      });
    },
  });
  server.on('error', () => undefined);
  server.listen(0, '127.0.0.1');
  await once(server.server, 'listening');
  onTestFinished(() => void server.close());
  return {
    port: (server.server.address() as AddressInfo).port,
    mails,
    refuse: (times: number) => (refusals = times),
  };
}
