// Builds small office documents, zip bombs and XML bombs.
import { strToU8, zipSync, type Zippable } from 'fflate';

const rels = 'http://schemas.openxmlformats.org/officeDocument/2006/relationships';
const relationships = (rows: readonly (readonly [id: string, type: string, target: string])[]): string =>
  `<?xml version="1.0"?><Relationships>${rows.map(([id, type, target]) => `<Relationship Id="${id}" Type="${rels}/${type}" Target="${target}"/>`).join('')}</Relationships>`;

function pack(files: Readonly<Record<string, string>>): Buffer {
  return Buffer.from(zipSync(Object.fromEntries(Object.entries(files).map(([name, text]) => [name, strToU8(text)])) as Zippable));
}

const w = (body: string): string => `<?xml version="1.0" encoding="UTF-8"?><w:document xmlns:w="w" xmlns:mc="mc"><w:body>${body}</w:body></w:document>`;
const paragraph = (text: string, properties = ''): string =>
  `<w:p>${properties === '' ? '' : `<w:pPr>${properties}</w:pPr>`}<w:r><w:t>${text}</w:t></w:r></w:p>`;

export function makeDocx(body: string): Buffer {
  return pack({
    '[Content_Types].xml': '<Types/>',
    '_rels/.rels': relationships([['rId1', 'officeDocument', 'word/document.xml']]),
    'word/_rels/document.xml.rels': relationships([['rId9', 'footnotes', 'footnotes.xml']]),
    'word/document.xml': w(body),
    'word/footnotes.xml': w(paragraph('A note at the foot.')),
  });
}

export const report =
  paragraph('Quarterly report', '<w:pStyle w:val="Heading1"/>') +
  paragraph('Sales &amp; costs', '<w:tabs><w:tab w:val="left"/></w:tabs>') +
  paragraph('first point', '<w:numPr/>') +
  `<w:tbl><w:tr><w:tc>${paragraph('Name')}</w:tc><w:tc>${paragraph('Sum')}</w:tc></w:tr><w:tr><w:tc>${paragraph('Ann')}</w:tc><w:tc>${paragraph('5')}</w:tc></w:tr></w:tbl>` +
  '<w:p><w:r><w:t>kept </w:t></w:r><w:del><w:r><w:delText>deleted</w:delText></w:r></w:del><w:r><w:t>text</w:t></w:r></w:p>' +
  '<mc:AlternateContent><mc:Choice><w:p><w:r><w:t>boxed</w:t></w:r></w:p></mc:Choice><mc:Fallback><w:p><w:r><w:t>boxed</w:t></w:r></w:p></mc:Fallback></mc:AlternateContent>';

export function makeXlsx(): Buffer {
  const sheet = (rows: string): string => `<worksheet><sheetData>${rows}</sheetData></worksheet>`;
  return pack({
    '_rels/.rels': relationships([['rId1', 'officeDocument', '/xl/workbook.xml']]),
    'xl/_rels/workbook.xml.rels': relationships([
      ['rId1', 'worksheet', 'worksheets/sheet1.xml'],
      ['rId2', 'worksheet', 'worksheets/sheet2.xml'],
      ['rId3', 'sharedStrings', 'sharedStrings.xml'],
      ['rId4', 'styles', 'styles.xml'],
    ]),
    'xl/workbook.xml': `<workbook xmlns:r="r"><sheets><sheet name="Costs" r:id="rId1"/><sheet name="Secret" state="hidden" r:id="rId2"/></sheets></workbook>`,
    'xl/sharedStrings.xml': '<sst><si><t>Name</t></si><si><r><t>An</t></r><r><t>n</t></r></si></sst>',
    'xl/styles.xml':
      '<styleSheet><numFmts><numFmt numFmtId="170" formatCode="dd/mm/yyyy"/></numFmts><cellXfs><xf numFmtId="0"/><xf numFmtId="170"/></cellXfs></styleSheet>',
    'xl/worksheets/sheet1.xml': sheet(
      '<row r="1"><c r="A1" t="s"><v>0</v></c><c r="C1" t="inlineStr"><is><t>Day</t></is></c></row>' +
        '<row r="2"><c r="A2" t="s"><v>1</v></c><c r="B2"><f>1+1</f><v>2.5</v></c><c r="C2" s="1"><v>46347</v></c><c r="D2" t="b"><v>1</v></c></row>',
    ),
    'xl/worksheets/sheet2.xml': sheet('<row r="1"><c r="A1" t="str"><v>hidden cell</v></c></row>'),
  });
}

export function makePptx(): Buffer {
  const slide = (...texts: string[]): string =>
    `<p:sld xmlns:p="p" xmlns:a="a">${texts.map((text) => `<a:p><a:r><a:t>${text}</a:t></a:r></a:p>`).join('')}</p:sld>`;
  return pack({
    '_rels/.rels': relationships([['rId1', 'officeDocument', 'ppt/presentation.xml']]),
    'ppt/_rels/presentation.xml.rels': relationships([
      ['rId1', 'slide', 'slides/slide2.xml'],
      ['rId2', 'slide', 'slides/slide1.xml'],
    ]),
    'ppt/presentation.xml':
      '<p:presentation xmlns:p="p" xmlns:r="r"><p:sldIdLst><p:sldId id="256" r:id="rId1"/><p:sldId id="257" r:id="rId2"/></p:sldIdLst></p:presentation>',
    'ppt/slides/slide1.xml': slide('The second'),
    'ppt/slides/slide2.xml': slide('The first', 'with a line'),
    'ppt/slides/_rels/slide2.xml.rels': relationships([['rId1', 'notesSlide', '../notesSlides/notesSlide1.xml']]),
    'ppt/notesSlides/notesSlide1.xml': slide('say this'),
  });
}

/** A small archive that unpacks to the given size. */
export function makeZipBomb(megabytes: number): Buffer {
  const files: Zippable = {
    '_rels/.rels': strToU8(relationships([['rId1', 'officeDocument', 'word/document.xml']])),
    'word/document.xml': new Uint8Array(megabytes * 1024 * 1024).fill(32),
  };
  return Buffer.from(zipSync(files));
}

/** A zip bomb whose headers declare small sizes. */
export function makeLyingZip(megabytes: number): Buffer {
  const bytes = makeZipBomb(megabytes);
  const size = Buffer.alloc(4);
  size.writeUInt32LE(megabytes * 1024 * 1024);
  for (let at = bytes.indexOf(size); at !== -1; at = bytes.indexOf(size, at + 4)) bytes.writeUInt32LE(1000, at);
  return bytes;
}

/** Nested XML entities, each ten times the previous one: a thousand million copies when expanded. */
export function makeXmlBomb(): Buffer {
  const names = 'abcdefghij';
  const entities = [...names].map((name, index) => `<!ENTITY ${name} "${index === 0 ? 'lol' : `&${names[index - 1]};`.repeat(10)}">`).join('');
  return pack({
    '_rels/.rels': relationships([['rId1', 'officeDocument', 'word/document.xml']]),
    'word/document.xml': `<?xml version="1.0"?><!DOCTYPE x [${entities}]><w:document xmlns:w="w"><w:body>${paragraph('before &j; after')}</w:body></w:document>`,
  });
}
