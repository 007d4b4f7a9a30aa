// Checks whether a time is within the configured quiet hours, during which no heartbeat runs. Pure.

const time = '(?:[01]\\d|2[0-3]):[0-5]\\d';
export const quietHoursPattern = `^(?:${time}-${time})?$`;

/** @param hours period such as `22:00-07:00`, excluding the end time; two equal times mean the whole day */
export function isQuiet(hours: string, now: Date): boolean {
  const [from, to] = hours.split('-').map(minutesOf);
  if (from === undefined || to === undefined) return false;
  const minute = now.getHours() * 60 + now.getMinutes();
  return from < to ? minute >= from && minute < to : minute >= from || minute < to;
}

function minutesOf(text: string): number | undefined {
  const [hour, minute] = text.split(':').map(Number);
  return hour === undefined || minute === undefined ? undefined : hour * 60 + minute;
}
