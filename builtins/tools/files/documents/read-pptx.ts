// Extracts the text of a presentation: slide by slide, each with its notes.
import { oneLine } from '#lib/text';
import type { OfficeArchive } from './office-archive.ts';
import { attribute, walkXml } from './walk-xml.ts';

export function readPptx(archive: OfficeArchive): string {
  const relations = archive.relationsOf(archive.main);
  const slides: string[] = [];
  walkXml(archive.read(archive.main) ?? '', {
    open(name, attributes) {
      const target = name === 'sldId' ? relations.get(attributes['r:id'] ?? attribute(attributes, 'id') ?? '')?.target : undefined;
      if (target !== undefined) slides.push(target);
    },
  });
  return slides.flatMap((slide, index) => [`# Slide ${index + 1}`, ...readSlide(archive, slide), '']).join('\n');
}

function readSlide(archive: OfficeArchive, slide: string): string[] {
  const notes = [...archive.relationsOf(slide).values()].find(({ type }) => type.endsWith('/notesSlide'))?.target;
  const said = notes === undefined ? [] : paragraphsOf(archive.read(notes) ?? '');
  return [...paragraphsOf(archive.read(slide) ?? ''), ...(said.length > 0 ? ['Notes:', ...said] : [])];
}

function paragraphsOf(xml: string): string[] {
  const lines: string[] = [];
  const cells: string[] = [];
  let line = '';
  let isText = false;
  let inRow = false;
  let isField = false;
  walkXml(xml, {
    open(name, attributes) {
      if (name === 't') isText = true;
      else if (name === 'br') line += '\n';
      else if (name === 'tr') inRow = true;
      // Skips slide numbers and dates.
      else if (name === 'fld') isField = attribute(attributes, 'type') === 'slidenum';
    },
    text(text) {
      if (isText && !isField) line += text;
    },
    close(name) {
      if (name === 't') isText = false;
      else if (name === 'fld') isField = false;
      else if (name === 'p' && !inRow) {
        if (line.trim() !== '') lines.push(line);
        line = '';
      } else if (name === 'p') line += ' ';
      else if (name === 'tc') {
        cells.push(oneLine(line));
        line = '';
      } else if (name === 'tr') {
        lines.push(cells.splice(0).join('\t'));
        inRow = false;
      }
    },
  });
  return lines;
}
