import { testGateways, testResets } from './faults.ts';

testResets(['reset-before', 'reset-during']);
testGateways([503, 504]);
