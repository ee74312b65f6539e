import { lookup as dnsLookup, type LookupAddress } from 'node:dns';
import { isIP, type LookupFunction } from 'node:net';
import { ExchangeError } from './errors.ts';
import { isPublicAddress } from './public-address.ts';

/** As in a parsed URL: a default port is the empty string, an IPv6 literal can have brackets. */
export interface Target {
  protocol: string;
  hostname: string;
  port: string;
}

/**
 * Decides which hosts we connect to.
 *
 * @param patterns `files.example.com`, `*.example.com`, `*`, each with an optional `:port`. Only these hosts are
 *   allowed; without any pattern, every public https host is.
 * @param resolve how names are looked up; passed in by tests of DNS rebinding
 */
export function createHostPolicy(patterns: readonly string[] = [], resolve: LookupFunction = dnsLookup) {
  const rules = patterns.map(ruleOf);
  const isListed = (target: Target) => rules.some((rule) => rule(target));
  return {
    /** Whether the operator listed this host. If so, plain http, loopback and private addresses are allowed. */
    isListed,
    /** Throws unless the target is allowed. Checks literal addresses; names are checked by `lookup`. */
    check(target: Target): void {
      if (isListed(target)) return;
      const host = withoutBrackets(target.hostname);
      if (rules.length > 0) throw refused(`${host} isn't an allowed host.`);
      if (target.protocol !== 'https:') throw refused('The service URL must start with https://.');
      if (isIP(host) !== 0 && !isPublicAddress(host)) throw refused(`${host} isn't a public address.`);
    },
    /** Resolves a name for a connection and rejects it if any of its addresses isn't public. */
    lookup: ((hostname, options, callback) => {
      // The connection uses the addresses of this lookup, so they can't change between check and use.
      resolve(hostname, { ...options, all: true }, (error, results) => {
        if (error) return callback(error, []);
        const addresses = results as unknown as LookupAddress[];
        const first = addresses[0];
        if (first === undefined || !addresses.every(({ address }) => isPublicAddress(address))) {
          return callback(refused(`${hostname} doesn't lead to a public address.`), []);
        }
        if (options.all) callback(null, addresses);
        else callback(null, first.address, first.family);
      });
    }) satisfies LookupFunction,
  };
}

function ruleOf(pattern: string): (target: Target) => boolean {
  const [, name = '', port] = /^(.*?)(?::(\d+))?$/.exec(pattern.trim().toLowerCase()) ?? [];
  const host = withoutBrackets(name);
  return (target) => {
    const actual = withoutBrackets(target.hostname.toLowerCase());
    const nameMatches =
      host === '*' ||
      host === actual ||
      (host.startsWith('*.') && actual.endsWith(host.slice(1)) && isIP(actual) === 0);
    return nameMatches && (port === undefined || port === portOf(target));
  };
}

function portOf({ port, protocol }: Target): string {
  return port || (protocol === 'https:' ? '443' : '80');
}

function withoutBrackets(hostname: string): string {
  return hostname.replace(/^\[|\]$/g, '');
}

function refused(message: string): ExchangeError {
  return new ExchangeError('address-not-allowed', message);
}
