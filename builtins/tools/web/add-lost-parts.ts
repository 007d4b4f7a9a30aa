// Puts back what the search for the article threw away and is text all the same. Runs in the thread; refers to nothing outside of itself.
import type { Document, Element } from 'happy-dom';

/**
 * The search judges a section by its name and its links, and so loses chapters called "Menus", signatures, synopses and
 * headings. Here every part it left out is judged again, by its share of links, with other limits beside the article than
 * within it. Names of the frame (sidebar, comments, cookies) still count.
 *
 * @param page as it was before the search; it is changed. Each element has a `data-stamp`
 * @param article what was found; its elements have the stamps of those they come from
 * @returns HTML
 */
export function addLostParts(page: Document, article: Element): string {
  const frameNames =
    /(^|[-_\s])(nav|navbar|navigation|menus?|breadcrumbs?|sidebar|footer|toc|comments?|share|social|sponsors?|sponsored|promos?|adverts?|advertisement|ads?|cookies?|consent|newsletter|related|recommended|teasers?|popup|modal|banner|pagination|pager|subscribe|login|search)([-_\s]|$)/i;
  const blocks = new Set(
    'ADDRESS ARTICLE BLOCKQUOTE CAPTION CENTER DD DETAILS DIV DL DT FIELDSET FIGCAPTION FIGURE FORM H1 H2 H3 H4 H5 H6 HEADER LI MAIN OL P PRE SECTION SUMMARY TABLE TBODY TD TFOOT TH THEAD TR UL'.split(' '), // prettier-ignore
  );
  const wholes = new Set('P PRE H1 H2 H3 H4 H5 H6 DL UL OL LI DT DD TR CAPTION FIGCAPTION SUMMARY'.split(' '));
  const mostLinked = { within: 0.7, beside: 0.4 };
  /** Shorter pieces beside the article are labels of the frame. Characters. */
  const shortest = 20;

  interface Size {
    readonly chars: number;
    readonly linked: number;
    /** It or a part of it is in the article. */
    readonly isFound: boolean;
    readonly isBlock: boolean;
    /** Headings or code are in it. */
    readonly hasSections: boolean;
  }
  const sizes = new Map<Element, Size>();
  const found = new Set([...article.querySelectorAll('[data-stamp]')].map((element) => element.getAttribute('data-stamp')));
  const isItselfFound = (element: Element): boolean => found.has(element.getAttribute('data-stamp'));
  const isHeadingOrCode = (element: Element): boolean => /^(H[1-6]|PRE)$/.test(element.tagName);

  const measure = (element: Element): Size => {
    let [chars, linked, isFound] = [0, 0, isItselfFound(element)];
    let [isBlock, hasSections] = [blocks.has(element.tagName), isHeadingOrCode(element)];
    for (const node of element.childNodes) {
      if (node.nodeType === 3) chars += (node.textContent ?? '').replace(/\s+/g, ' ').trim().length;
      if (node.nodeType !== 1) continue;
      const part = measure(node as Element);
      chars += part.chars;
      linked += part.linked;
      isFound ||= part.isFound;
      isBlock ||= part.isBlock;
      hasSections ||= part.hasSections;
    }
    if (element.tagName === 'A' && element.hasAttribute('href')) linked = chars;
    // Links within code are references, no menu.
    if (element.tagName === 'PRE') linked = 0;
    const size: Size = { chars, linked, isFound, isBlock, hasSections };
    sizes.set(element, size);
    return size;
  };
  const sizeOf = (element: Element): Size => sizes.get(element) ?? measure(element);

  const isFrame = (element: Element): boolean => {
    const className = element.getAttribute('class') ?? '';
    // Identifiers of sections are addresses of chapters.
    const isChapter = element.tagName === 'SECTION' || /(^|\s)section(\s|$)/.test(className);
    return frameNames.test(className) || (!isChapter && sizeOf(element).isBlock && frameNames.test(element.getAttribute('id') ?? ''));
  };

  const judge = (element: Element, isWithin: boolean): void => {
    const { chars, linked, isBlock, hasSections } = sizeOf(element);
    if (chars === 0) return;
    const isLinked = linked > chars * (isWithin ? mostLinked.within : mostLinked.beside);
    const isShort = !isWithin && !isHeadingOrCode(element) && wholes.has(element.tagName) && chars - linked < shortest;
    const isKept = isWithin && hasSections;
    if (isFrame(element) || isShort || (isLinked && !isKept)) element.remove();
    else if (isBlock && !wholes.has(element.tagName)) for (const part of [...element.children]) if (sizeOf(part).isBlock) judge(part, isWithin);
  };

  /** A cell of links beside the cell with the text: a page that is laid out by a table. */
  const isMenuCell = (cell: Element, row: Element): boolean => {
    const { chars, linked } = sizeOf(cell);
    const proseOf = (element: Element): number => sizeOf(element).chars - sizeOf(element).linked;
    return cell.tagName === 'TD' && linked >= 100 && linked > chars * 0.8 && [...row.children].some((other) => proseOf(other) > chars * 5);
  };

  const prune = (element: Element, isWithin: boolean): void => {
    const isSure = isItselfFound(element);
    for (const part of [...element.children]) {
      const { isFound, isBlock, chars } = sizeOf(part);
      if (isMenuCell(part, element)) part.remove();
      else if (isFound) prune(part, isWithin || part === root);
      // A wrapper around one element is merged with it, and words within a paragraph have no say.
      else if (!isSure || (isBlock && chars < sizeOf(element).chars)) judge(part, isWithin);
    }
  };

  const { body } = page;
  measure(body);
  let root: Element = body;
  for (;;) {
    const parts: Element[] = [...root.children].filter((part) => sizeOf(part).isFound);
    if (parts.length !== 1 || isItselfFound(root)) break;
    root = parts[0] as Element;
  }
  prune(body, root === body);
  return body.innerHTML;
}
