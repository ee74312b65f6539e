import { startTestPostgres } from '../helpers/postgres.ts';
import { testLostAnswers } from './lost-answer.ts';

testLostAnswers(startTestPostgres(), { uploadsAfterDispatch: 'kept' });
