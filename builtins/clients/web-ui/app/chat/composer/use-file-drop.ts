// Attaches files that are dropped anywhere on the page, and prevents the browser from opening them.
import { useEffect, useEffectEvent, useState } from 'react';

/** Returns whether files are being dragged over the page. */
export function useFileDrop(onFiles: (files: readonly File[]) => void): boolean {
  const [isOver, setOver] = useState(false);
  const take = useEffectEvent(onFiles);
  useEffect(() => {
    const carriesFiles = (event: DragEvent): boolean => !event.defaultPrevented && event.dataTransfer?.types.includes('Files') === true;
    const onOver = (event: DragEvent): void => {
      if (!carriesFiles(event)) return;
      event.preventDefault();
      if (event.dataTransfer) event.dataTransfer.dropEffect = 'copy';
      setOver(true);
    };
    const onLeave = (event: DragEvent): void => {
      if (event.relatedTarget === null) setOver(false);
    };
    const onDrop = (event: DragEvent): void => {
      setOver(false);
      if (!carriesFiles(event)) return;
      event.preventDefault();
      take([...(event.dataTransfer?.files ?? [])]);
    };
    const left = new AbortController();
    addEventListener('dragenter', onOver, left);
    addEventListener('dragover', onOver, left);
    addEventListener('dragleave', onLeave, left);
    addEventListener('drop', onDrop, left);
    return () => left.abort();
  }, []);
  return isOver;
}
