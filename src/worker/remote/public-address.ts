/**
 * Which addresses are on the public internet. All others (private, loopback, link-local, multicast, reserved) may be
 * machines that only this one can reach, such as a router or a cloud's metadata service.
 */
import { BlockList, isIPv4, isIPv6 } from 'node:net';

/** IANA IPv4 Special-Purpose Address Registry, multicast and the reserved block. */
const SPECIAL_4 = [
  '0.0.0.0/8',
  '10.0.0.0/8',
  '100.64.0.0/10',
  '127.0.0.0/8',
  '169.254.0.0/16',
  '172.16.0.0/12',
  '192.0.0.0/24',
  '192.0.2.0/24',
  '192.88.99.0/24',
  '192.168.0.0/16',
  '198.18.0.0/15',
  '198.51.100.0/24',
  '203.0.113.0/24',
  '224.0.0.0/3',
];
/** All but 2000::/3, the only block given out so far, and its special parts. Some of them hold an IPv4 address. */
const SPECIAL_6 = ['::/3', '4000::/2', '8000::/1', '2001::/23', '2001:db8::/32', '2002::/16', '3fff::/20'];

// Two lists, because a single list would match every IPv4 address with ::/3, to which IPv4 addresses are mapped.
const PRIVATE_4 = listOf(SPECIAL_4, 'ipv4');
const PRIVATE_6 = listOf(SPECIAL_6, 'ipv6');

/** @param address a literal, with or without brackets; false for anything else */
export function isPublicAddress(address: string): boolean {
  const plain = address.replace(/^\[(.*)\]$/, '$1');
  if (isIPv4(plain)) return !PRIVATE_4.check(plain, 'ipv4');
  return isIPv6(plain) && !PRIVATE_6.check(plain, 'ipv6');
}

function listOf(blocks: readonly string[], family: 'ipv4' | 'ipv6'): BlockList {
  const list = new BlockList();
  for (const block of blocks) {
    const [net = '', prefix] = block.split('/');
    list.addSubnet(net, Number(prefix), family);
  }
  return list;
}
