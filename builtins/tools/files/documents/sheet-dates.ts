// Detects and formats the dates among the numbers of a workbook.
import { walkXml } from './walk-xml.ts';

const dayMs = 86_400_000;
/** Returns whether a format id is one of the built-in date formats, which workbooks do not define themselves. */
const isBuiltInDate = (id: number): boolean => (id >= 14 && id <= 22) || (id >= 45 && id <= 47);

/** Returns a function that checks whether a cell style marks numbers as dates. */
export function readDateStyles(xml: string): (style: number) => boolean {
  const formats = new Map<number, string>();
  const styles: number[] = [];
  let inCellStyles = false;
  walkXml(xml, {
    open(name, attributes) {
      const id = Number(attributes['numFmtId'] ?? 0);
      if (name === 'numFmt') formats.set(id, attributes['formatCode'] ?? '');
      else if (name === 'cellXfs') inCellStyles = true;
      else if (name === 'xf' && inCellStyles) styles.push(id);
    },
    close(name) {
      if (name === 'cellXfs') inCellStyles = false;
    },
  });
  const isDateFormat = (code: string): boolean => /[ymdhs]/i.test(code.replace(/"[^"]*"|\\.|\[[^\]]*\]/g, '').replace(/general/i, ''));
  return (style) => {
    const id = styles[style] ?? 0;
    const code = formats.get(id);
    return code === undefined ? isBuiltInDate(id) : isDateFormat(code);
  };
}

/** Formats a date as `2026-11-21`, `2026-11-21 13:45` or `13:45`; parts that are zero are omitted. */
export function showDate(serial: number, is1904: boolean): string | undefined {
  if (serial < 0 || serial > 2_958_466) return undefined;
  // Day 60 is 29 February 1900, which did not exist.
  const days = is1904 ? serial + 1462 : serial < 60 ? serial + 1 : serial;
  const text = new Date(Date.UTC(1899, 11, 30) + Math.round((days * dayMs) / 1000) * 1000).toISOString();
  const [date = '', time = ''] = text.slice(0, 19).split('T');
  const clock = time.endsWith(':00') ? time.slice(0, 5) : time;
  if (serial < 1) return clock;
  return clock === '00:00' ? date : `${date} ${clock}`;
}
