// Which numbers of a workbook are dates, and what they say.
import { walkXml } from './walk-xml.ts';

const dayMs = 86_400_000;
/** Formats that every workbook has without naming them. */
const isBuiltInDate = (id: number): boolean => (id >= 14 && id <= 22) || (id >= 45 && id <= 47);

/** Tells for a style of cells whether its numbers are dates. */
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

/** `2026-11-21`, `2026-11-21 13:45`, `13:45`: what is zero is left out. */
export function showDate(serial: number, is1904: boolean): string | undefined {
  if (serial < 0 || serial > 2_958_466) return undefined;
  // The day 60 is a 29 February 1900 that never was.
  const days = is1904 ? serial + 1462 : serial < 60 ? serial + 1 : serial;
  const text = new Date(Date.UTC(1899, 11, 30) + Math.round((days * dayMs) / 1000) * 1000).toISOString();
  const [date = '', time = ''] = text.slice(0, 19).split('T');
  const clock = time.endsWith(':00') ? time.slice(0, 5) : time;
  if (serial < 1) return clock;
  return clock === '00:00' ? date : `${date} ${clock}`;
}
