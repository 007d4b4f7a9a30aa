// Twelve saved pages of real generators in the folder next to this file, with phrases of their articles and page chrome.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';

export interface RealPage {
  readonly type: string;
  readonly article: readonly string[];
  readonly missed?: readonly string[];
  readonly frame: readonly string[];
}

const utf8 = 'text/html; charset=utf-8';

export const savedPages: Readonly<Record<string, RealPage>> = {
  rustdoc: {
    type: utf8,
    article: [
      ...['Struct BinaryHeap', 'A priority queue implemented with a binary heap.', '// Type inference lets us omit an explicit type signature (which'],
      ...['The value for push is an expected cost; the method documentation gives a more detailed analysis.', 'pub const fn new() -> BinaryHeap<T>'],
      ...['Removes the greatest item from the binary heap and returns it, or None if it is empty.', 'pub fn into_sorted_vec(self) -> Vec<T, A>'],
      ...["// Now we know this can't OOM in the middle of our complex work", "pub fn drain(&mut self) -> Drain<'_, T, A>"],
      'This method is preferred over simply assigning source.clone() to self, as it avoids reallocation if possible.',
      ...['impl<T, A> IntoIterator for BinaryHeap<T, A>', 'Performs the conversion.'],
    ],
    missed: ['This method is preferred over simply assigning source.clone() to self, as it avoids reallocation if possible.'],
    frame: ['Methods - allocator', 'Skip to main content', 'This old browser is unsupported', 'resource-suffix'],
  },
  mdbook: {
    type: utf8,
    article: [
      ...['Keep in mind that Rust is a statically typed language', 'let guess = "42".parse().expect("Not a number!");', 'Table 3-1: Integer Types in Rust'],
      ...['128-bit | i128 | u128', "Byte (u8 only) | b'A'", 'let remainder = 43 % 5;', 'from −(2^7) to 2^7 − 1, which equals −128 to 127.'],
      ...['Unicode scalar values range from U+0000 to U+D7FF and U+E000 to U+10FFFF inclusive.', 'let tup: (i32, f64, u8) = (500, 6.4, 1);'],
      ...['Array Element Access', '.expect("Failed to read line");'],
      'The program resulted in a runtime error at the point of using an invalid value in the indexing operation.',
      'This is an example of Rust’s memory safety principles in action.',
    ],
    frame: ['Keyboard shortcuts', 'Press S or / to search in the book', 'Coal', 'window.playground_copyable'],
  },
  'node-api': {
    type: utf8,
    article: [
      ...['Stability: 2 - Stable', 'module provides utilities for working with file and directory paths.'],
      ...["const path = require('node:path'); import path from 'node:path';", "path.win32.basename('C:\\\\temp\\\\myfile.html');"],
      ...['v6.0.0 | Passing a non-string as the path argument will throw now.', 'path.extname(path)'],
      ...['// `name` + `ext` will be used if `base` is not specified.', 'Zero-length path segments are ignored.', '┌─────────────────────┬────────────┐'],
      ...['A TypeError is thrown if any of the arguments is not a string.', 'On Windows systems only, returns an equivalent namespace-prefixed path for'],
      "The API is accessible via require('node:path').win32 or require('node:path/win32').",
    ],
    missed: ['Stability: 2 - Stable'],
    frame: ['Usage and example', 'Other versions', 'Code repository and issue tracker', 'View on single page'],
  },
  sphinx: {
    type: utf8,
    article: [
      'IDLE is Python’s Integrated Development and Learning Environment.',
      ...['- debugger with persistent breakpoints, stepping, and viewing of global and local namespaces', 'File menu (Shell and Editor)'],
      ...['Repeat the last search, if there is one.', 'Shell menu (Shell window only)'],
      ...['Cycle through earlier commands in history which match the current entry.', 'Editing and Navigation'],
      ...['C-Backspace and C-Del delete one word left or right.', 'In an editor, import statements have no effect until one runs the file.'],
      ...['-h print help message with legal combinations and exit', 'Running without a subprocess'],
      'This file also maps IDLE menu items to the code that implements the item.',
    ],
    frame: ['Report a Bug', 'Previous topic', 'Show Source', 'Created using Sphinx'],
  },
  difflib: {
    type: utf8,
    article: [
      ...['n | 2 | 1. Beautiful is beTTer than ugly. | n | 2 | 1. Beautiful is better than ugly.', '| 3 | 2. Explicit is better than implicit.'],
      ...['4 | 3. Simple is better than complex. | | 3 | 3. Simple is better than complex.', '5. Flat is better than nested.'],
      ...['Context (first diff within numlines=5(default))', 'Context (first diff after numlines=5(default))', 'Context (numlines=6)'],
      ...['Line 4: has from:[sst] to:[sss] after :', 'line 6a chang', '13 | short line | | 13 | another long l', '16 | the end'],
    ],
    missed: ['16 | the end'],
    frame: ['font-family', 'text-align', 'diff_header'],
  },
  'zlib-how': {
    type: 'text/html; charset=ISO-8859-1',
    article: [
      ...['We often get questions about how the deflate() and inflate() functions should be used.', 'Version 1.4 11 December 2005 Mark Adler */'],
      ...['#include <stdio.h>', 'CHUNK is simply the buffer size for feeding data to and pulling data from the zlib routines.'],
      ...['ret = deflateInit(&strm, level);', 'if (fwrite(out, 1, have, dest) != have || ferror(dest)) {'],
      ...['Now we check to see if we have already processed all of the input file.', '/* Decompress from file source to file dest until stream ends or EOF.'],
      ...['Just like in def(), the same output space is provided for each call of inflate().', 'case Z_NEED_DICT:'],
      ...['fputs("zpipe usage: zpipe [-d] < source > dest\\n", stderr);', 'Last modified 11 December 2005'],
    ],
    frame: ['bgcolor', 'Copyright (c) 2004, 2005 Mark Adler. --'],
  },
  underscore: {
    type: utf8,
    article: [
      ...['It’s the answer to the question: “If I sit down in front of a blank HTML page', 'Node.js npm install underscore', 'Internet Explorer 9–11'],
      ...['Returns the values in list without the elements that the truth test (predicate)', '_.countBy(list, iteratee, [context])'],
      ...["var stooges = [{name: 'moe', age: 40}, {name: 'curly', age: 60}];", '=> {Moses: "Moe", Louis: "Larry", Jerome: "Curly"};'],
      ...['Returns true if collection has no elements.', '_.times(3, function(n){ genie.grantWishNumber(n); });'],
      ...['Added _.noop as a handy empty placeholder function.', 'Fixed _.isEqual(NaN, NaN) to return true (which is debatable).'],
      'Initial release of Underscore.js.',
    ],
    missed: ['Node.js npm install underscore', 'Internet Explorer 9–11'],
    frame: ['» GitHub Repository', '- difference', 'getElementById', '» Annotated Source'],
  },
  'libxslt-news': {
    type: 'text/html; charset=ISO-8859-1',
    article: [
      ...['to get a description of the recent commits.', 'v1.1.35: Feb 16 2022', "Don't set maxDepth in XPath contexts"],
      ...['Fix <xsl:number level="any"/> for non-element nodes (Nick Wellnhofer),', '1.1.27: Sep 12 2012'],
      ...['Add object files in tests/plugins to .gitignore (Nick Wellnhofer),', 'Fixed bug #616839 (Daniel Mustieles),', 'Peter Pawlowski'],
      ...['Removed DocBook SGML broken support', 'Fixed a really bad race like bug in xsltCopyTreeList()'],
      'first alpha version released at the same time as libxml2-2.2.12',
      'Framework in place, should work on simple examples, but far from being feature complete',
    ],
    frame: ['Main Menu', 'Related links', 'Reporting bugs and getting help', 'Windows binaries'],
  },
  devhelp: {
    type: utf8,
    article: [
      ...['This module implements the bulk of the actual', 'Synopsis', 'void xsltRegisterAllElement (xsltTransformContextPtr ctxt);', 'Details'],
      'If either cur or node are a breakpoint, or xslDebugStatus in state where debugging must occcur',
      "inst: | the element node of the XSLT 'apply-imports' instruction",
      'Apply the stylesheet to the document and allow the user to provide its own transformation context.',
      ...['xmlNodePtr xsltCopyTextString (xsltTransformContextPtr ctxt,', 'Returns: | the newly allocated xsltTransformContextPtr or NULL in case of error'],
      ...['int xsltRunStylesheetUser (xsltStylesheetPtr style,', 'Process the xslt text node on the source node', 'castedComp: | precomputed information'],
    ],
    missed: ['This module implements the bulk of the actual', 'Synopsis', 'void xsltRegisterAllElement (xsltTransformContextPtr ctxt);', 'Details'],
    frame: ['libxslt Reference Manual', 'Prev', 'Libxml2 devhelp stylesheet'],
  },
  'docbook-sgml': {
    type: utf8,
    article: [
      ...['fonts.conf -- Font configuration files', 'Fontconfig is a library designed to provide system-wide font configuration'],
      ...['simplify and regularize font installation and customization.', 'The match/edit sequences in the configuration are performed in two passes'],
      ...['hinting Bool Whether the rasterizer should use hinting', 'FONTSET 8 Track loading of font information at startup'],
      ...['<remap-dir prefix="default" as-path="" salt="">', 'These elements compare two values, producing a boolean result.'],
      ...['<test qual="any" name="family"><string>mono</string></test>', 'This is an example of a system-wide configuration file'],
      ...['FC_LANG is used to specify the default language as the weak binding in the query.', 'Fontconfig version 2.14.1'],
    ],
    missed: ['fonts.conf -- Font configuration files'],
    frame: ['Modular DocBook HTML Stylesheet', 'REFENTRY', 'CLASS='],
  },
  asciidoc: {
    type: utf8,
    article: [
      ...['Ninja is yet another build system.', '- very fast (i.e., instant) incremental builds, even for very large projects.'],
      ...['The number of remaining edges to start.', 'ninja -t msvc -o DEPFILE [-p STRING] — cl.exe /showIncludes <arguments>'],
      '# But you can shadow variables like cflags for a particular build.',
      ...['To get C/C++ header dependencies (or any other build dependency that works in a similar way)', 'Ninja file reference'],
      'Two variables are significant when declared in the outermost file scope.',
      ...['Implicit outputs, as listed in a build line with the syntax | out1 out2 + before the :', 'command = f95 -o $out -c $in'],
      ...['Consider a tarball foo.tar that we want to extract.', 'build foo.tar.stamp | file1.txt file2.txt : dyndep restat = 1'],
    ],
    frame: ['DocBook XSL Stylesheets', 'docbook.css', 'text-align'],
  },
  expat: {
    type: utf8,
    article: [
      ...['Expat is a library, written in C, for parsing XML documents.', 'Building and Installing Expat', 'for (i = 0; attr[i]; i += 2) {'],
      ...['Communicating between handlers', 'With Expat, you may also specify an encoding at the time of creating a parser.'],
      ...['Free memory used by the parser.', 'XML_ResumeParser(XML_Parser p);', 'Set a handler to deal with encodings other than the built in set.'],
      ...['Sets a handler for element declarations in a DTD.', 'XML_MemFree(XML_Parser parser, void *ptr);', 'Free a block of memory pointed to by ptr.'],
    ],
    frame: ['Permission is hereby granted', 'SPDX', 'text/css'],
  },
};

/** Returns the saved bytes unchanged. */
export function readSaved(name: string): Uint8Array {
  return readFileSync(join(import.meta.dirname, 'saved', `${name}.html`));
}

export function phrasesIn(text: string, phrases: readonly string[]): readonly string[] {
  const plain = flat(text.replace(/ \((?:https?|mailto|ftp):[^\s)]*\)/g, ''));
  return phrases.filter((phrase) => plain.includes(flat(phrase)));
}

const flat = (text: string): string => text.replace(/\s+/g, ' ');
