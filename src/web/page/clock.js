// The clocks of both sides. The server keeps the time; the page counts down from what it was told.

export class Clocks {
  constructor(elements) {
    this.elements = elements;
    setInterval(() => this.show(), 200);
  }

  set(clocks) {
    this.clocks = clocks;
    this.at = performance.now();
    this.show();
  }

  show() {
    if (!this.clocks) return;
    const { control, sides, running } = this.clocks;
    this.elements.forEach((element, index) => {
      if (!sides[index]) {
        element.textContent = "";
        return;
      }
      let [left, periods] = sides[index];
      if (running && (running.side === "B") === (index === 0)) left -= running.used + (performance.now() - this.at) / 1000;
      if (control.kind === "byo-yomi") {
        // Main time that is used up goes over into the periods.
        if (left < 0 && periods === 0) {
          periods = control.periods;
          left += control.period;
        }
        while (left < 0 && periods > 1) {
          periods -= 1;
          left += control.period;
        }
      }
      const text = format(Math.max(left, 0)) + (periods > 0 ? ` ×${periods}` : "");
      if (element.textContent !== text) element.textContent = text;
      element.classList.toggle("late", left < 10);
    });
  }
}

function format(seconds) {
  if (seconds < 10) return seconds.toFixed(1);
  const whole = Math.floor(seconds);
  const two = (number) => String(number).padStart(2, "0");
  const minutes = Math.floor(whole / 60);
  return minutes < 60 ? `${minutes}:${two(whole % 60)}` : `${Math.floor(minutes / 60)}:${two(minutes % 60)}:${two(whole % 60)}`;
}
