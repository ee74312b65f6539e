import { limits } from './limits.ts';
import { type Check, refuse } from './place.ts';
import { checkLength } from './values.ts';

/** What a person may be sent to. No scheme that runs or embeds something (javascript:, data:), no file:. */
export const link = url('http:', 'https:', 'mailto:', 'slack:', 'tel:');

/** What Slack itself fetches. */
export const webAddress = url('http:', 'https:');

function url(...schemes: string[]): Check {
  return (value, place) => {
    if (typeof value !== 'string') return refuse(place, 'must provide a string');
    checkLength(value, 1, limits.url, place);
    if (value.length > limits.url) return;
    if (!isUrl(value)) return refuse(place, 'must be a valid URL');
    if (!schemes.includes(new URL(value).protocol)) {
      refuse(place, `must be a URL that begins with ${schemes.join(' or ')}`);
    }
  };
}

/** The parser drops some spaces and mends half a character, and so accepts what is no URL. */
function isUrl(value: string): boolean {
  return !/[\s\p{Cc}]/u.test(value) && value.isWellFormed() && URL.canParse(value);
}
