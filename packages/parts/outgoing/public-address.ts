import { BlockList, isIP } from 'node:net';

/** IPv4 networks that are not public: this host, private, shared, link-local, documentation, multicast. */
const notPublic4 = [
  ...['0.0.0.0/8', '10.0.0.0/8', '100.64.0.0/10', '127.0.0.0/8', '169.254.0.0/16', '172.16.0.0/12'],
  ...['192.0.0.0/24', '192.0.2.0/24', '192.88.99.0/24', '192.168.0.0/16', '198.18.0.0/15', '198.51.100.0/24'],
  ...['203.0.113.0/24', '224.0.0.0/4', '240.0.0.0/4'],
];
/** The only public range of IPv6, without the parts that map to IPv4 (Teredo, 6to4), tests and examples. */
const public6 = ['2000::/3'];
const notPublic6 = ['2001::/23', '2001:db8::/32', '2002::/16', '3fff::/20'];

const known = new Map<readonly string[], BlockList>();

/** Whether an address is in one of the networks; their list is built on first use. */
function isIn(entries: readonly string[], address: string, family: 'ipv4' | 'ipv6'): boolean {
  const list = known.get(entries) ?? networks(entries);
  known.set(entries, list);
  return list.check(address, family);
}

/** Whether an address is public. An IPv4 address in IPv6 notation is treated as IPv4. */
export function isPublicAddress(given: string): boolean {
  const address = plainAddress(given);
  const version = isIP(address);
  if (version === 4) return !isIn(notPublic4, address, 'ipv4');
  return version === 6 && isIn(public6, address, 'ipv6') && !isIn(notPublic6, address, 'ipv6');
}

/** Allowed addresses that are not public, from the configuration. */
export interface Allowed {
  readonly hosts: ReadonlySet<string>;
  readonly networks: BlockList;
}

/** Names of hosts, addresses and networks such as `10.1.0.0/16`. */
export function readAllowed(entries: readonly string[]): Allowed {
  const isAddress = (entry: string) => isIP(entry.split('/')[0] ?? '') !== 0;
  return {
    hosts: new Set(entries.filter((entry) => !isAddress(entry)).map((entry) => entry.toLowerCase())),
    networks: networks(entries.filter(isAddress)),
  };
}

export function isAllowedAddress({ networks: allowed }: Allowed, given: string): boolean {
  const address = plainAddress(given);
  return allowed.check(address, isIP(address) === 6 ? 'ipv6' : 'ipv4');
}

function networks(entries: readonly string[]): BlockList {
  const list = new BlockList();
  for (const entry of entries) {
    const [address = '', bits] = entry.split('/');
    const family = isIP(address) === 6 ? 'ipv6' : 'ipv4';
    list.addSubnet(address, bits === undefined ? (family === 'ipv6' ? 128 : 32) : Number(bits), family);
  }
  return list;
}

/** Without the zone id, and as IPv4 if IPv6 only wraps it. */
function plainAddress(given: string): string {
  const [address = ''] = given.split('%');
  if (isIP(address) !== 6) return address;
  const [, high, low] =
    /^\[::ffff:([0-9a-f]{1,4}):([0-9a-f]{1,4})\]$/.exec(new URL(`http://[${address}]`).hostname) ?? [];
  if (high === undefined || low === undefined) return address;
  const number = Number.parseInt(high, 16) * 65_536 + Number.parseInt(low, 16);
  return [24, 16, 8, 0].map((shift) => (number >>> shift) & 255).join('.');
}
