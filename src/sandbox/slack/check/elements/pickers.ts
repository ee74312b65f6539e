import { confirm } from '../confirm.ts';
import { type Check, refuse } from '../path.ts';
import { variant } from '../shapes.ts';
import { placeholder } from '../text-objects.ts';
import { id, integer, matching } from '../values.ts';
import { focus_on_load } from './focus.ts';

const common = { action_id: id, confirm, focus_on_load };

const date: Check = (value, path) => {
  // February 31 has the right format, but Date moves it to March.
  const isParsed = typeof value === 'string' && /^\d{4}-\d\d-\d\d$/.test(value) && !Number.isNaN(Date.parse(value));
  if (!isParsed || new Date(value).toISOString().slice(0, 10) !== value) refuse(path, 'must be a date as YYYY-MM-DD');
};

const time = matching(/^([01]\d|2[0-3]):[0-5]\d$/, 'a time as HH:mm');

const timezone: Check = (value, path) => {
  // Newer engines accept offsets as time zones; IANA names start with a letter.
  if (typeof value !== 'string' || !/^[A-Za-z][\w+/-]{0,63}$/.test(value) || !isTimeZone(value)) {
    refuse(path, 'must be the IANA name of a time zone');
  }
};

function isTimeZone(timeZone: string): boolean {
  try {
    new Intl.DateTimeFormat('en', { timeZone });
    return true;
  } catch {
    return false;
  }
}

export const datepicker = variant({ optional: { ...common, initial_date: date, placeholder } });

export const timepicker = variant({ optional: { ...common, initial_time: time, timezone, placeholder } });

export const datetimepicker = variant({
  optional: { ...common, initial_date_time: integer(1_000_000_000, 9_999_999_999) },
});
