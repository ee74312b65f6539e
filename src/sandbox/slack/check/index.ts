export { limits } from './limits.ts';
export { checkMessage } from './message.ts';
export { checkOptions } from './options.ts';
export type { Problem } from './problem.ts';
export { checkView } from './view.ts';
