import { searchBlocks } from '../../../src/features/common/search/form.ts';
import { modal } from '../../../src/slack/views.ts';
import { hostileTexts, type Samples } from '../hostile-texts.ts';

const fields = { placeholder: 'File, email or word in the message', hasPerson: true, hasDates: true };
const search = { search: 'contract', person: 'U0123456789', from: '2026-11-01', to: '2026-11-16' };

export const samples: Samples = {
  everyday: modal('Search', searchBlocks(search, fields), { submit: 'Search' }),
  empty: modal('Search', searchBlocks({}, { placeholder: 'File or sender' }), { submit: 'Search' }),
  'hostile words': modal('Search', searchBlocks({ search: hostileTexts.huge }, fields), { submit: 'Search' }),
};
