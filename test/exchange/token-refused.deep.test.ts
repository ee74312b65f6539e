import { testRefusedTokens } from './token-refused.ts';

testRefusedTokens(['html', 'json', 'empty']);
