/**
 * Refuses requests that do not come from the pages of shelflift, before anything is read from them.
 *
 * Browsers attest where a request comes from, in headers that no script can set: Host (against DNS rebinding),
 * Sec-Fetch-Site (W3C Fetch Metadata; other ports of this machine are "same-site" and would receive our cookie) and
 * Origin. Session and form token are checked after this (sessions.ts).
 */
import type { IncomingHttpHeaders } from 'node:http';

export interface Refusal {
  /** 421 for a Host that is not ours, otherwise 403. */
  status: 403 | 421;
  reason: 'method' | 'address' | 'host' | 'site' | 'origin';
}

export interface RequestHead {
  method: string;
  /** As sent, undecoded. */
  url: string;
  headers: IncomingHttpHeaders;
}

const METHODS: ReadonlySet<string> = new Set(['GET', 'HEAD', 'POST']);
const NAMES = ['127.0.0.1', 'localhost', '[::1]'] as const;

/** @param port port of this page */
export function refusalOf({ method, url, headers }: RequestHead, port: number): Refusal | undefined {
  if (!isOwnHost(headers.host, port)) return { status: 421, reason: 'host' };
  if (!METHODS.has(method)) return { status: 403, reason: 'method' };
  // An absolute address, or `//other.example/`, names a host other than the Host header's.
  if (!url.startsWith('/') || url.startsWith('//') || url.includes('\\'))
    return { status: 403, reason: 'address' };
  const writes = method === 'POST';
  if (!isOwnSite(headers, writes)) return { status: 403, reason: 'site' };
  if (!isOwnOrigin(headers, writes)) return { status: 403, reason: 'origin' };
  return undefined;
}

function isOwnHost(host: string | undefined, port: number): boolean {
  // Browsers leave out port 80.
  return NAMES.some((name) => host === `${name}:${port}` || (port === 80 && host === name));
}

function isOwnSite(headers: IncomingHttpHeaders, writes: boolean): boolean {
  const site = headers['sec-fetch-site'];
  // Only programs and very old browsers leave it out: they still need the session, and for a write the Origin.
  if (site === undefined || site === 'same-origin') return true;
  // An address that a person opens or types, never a frame or anything else that a page loads.
  return (
    site === 'none' &&
    !writes &&
    headers['sec-fetch-mode'] === 'navigate' &&
    headers['sec-fetch-dest'] !== 'iframe'
  );
}

function isOwnOrigin(headers: IncomingHttpHeaders, writes: boolean): boolean {
  const { origin, host } = headers;
  return origin === undefined ? !writes : origin === `http://${host}`;
}
