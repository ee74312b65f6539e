import { testBrokenTransfers } from './broken-transfers.ts';

testBrokenTransfers(100);
