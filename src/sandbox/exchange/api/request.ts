import type { IncomingHttpHeaders } from 'node:http';
import type { Account } from '../state/model.ts';
import type { World } from '../state/world.ts';

/** An authenticated call of an operation. */
export interface ApiRequest {
  world: World;
  account: Account;
  headers: IncomingHttpHeaders;
  query: string;
  body: AsyncIterable<Buffer>;
  /** The decoded path segments after the user's. */
  path: string[];
}
