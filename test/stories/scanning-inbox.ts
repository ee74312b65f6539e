import { testMalware, testSignature } from '../../src/sandbox/scanner.ts';

export const infected = { name: 'bad.txt', data: `text ${testMalware}` };
export const largeData = Buffer.alloc(1_000_000, 'a stretch of a large file; ');
export const allowUnscanned = { unscanned: 'note' as const };
export const refusalText = `Malware found: ${testSignature}. Only an admin can download this file.`;
export const markText = `🛑 Malware found: ${testSignature}. Only admins can download it.`;
