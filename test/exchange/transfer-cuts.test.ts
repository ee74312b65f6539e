import { testCuts } from './transfer-cuts.ts';

testCuts(8);
