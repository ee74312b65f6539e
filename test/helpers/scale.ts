/** Whether the full numbers are run (`npm run test:full`), or a sample of them. */
export const isFull = process.env.DROPLINE_FULL === '1';
