import { testGateways, testHangs, testResets } from './faults.ts';

testResets(['reset-before', 'reset-during']);
testHangs(['hang']);
testGateways([503, 504]);
