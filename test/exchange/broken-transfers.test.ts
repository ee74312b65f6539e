import { testBrokenTransfers } from './broken-transfers.ts';

testBrokenTransfers(8);
