export { startSlackServer } from './server.ts';
export type * from './types.ts';
export { slackVariables } from './variables.ts';
