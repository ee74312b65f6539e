export { startSlackServer } from './server.ts';
export type * from './types.ts';
