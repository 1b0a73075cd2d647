#include "planner/printable.h"

#include <gtest/gtest.h>

#include <string>

namespace memplan {
namespace {

TEST(PrintableTest, NamesOfGoodWillStay) {
  for (const char* name : {"", "conv1/kernel:0", "a b", "\\n is two characters",
                           "größe", "層", "\U0001F9E0"}) {
    EXPECT_EQ(Printable(name), name);
  }
}

TEST(PrintableTest, TerminalsAndTablesComeToNoHarm) {
  EXPECT_EQ(Printable("a\nb\r\tc"), "a\\nb\\r\\tc");
  EXPECT_EQ(Printable("\x1b[31mred\x7f"), "\\x1b[31mred\\x7f");
  EXPECT_EQ(Printable(std::string("\0", 1)), "\\x00");
  EXPECT_EQ(Printable("\u009b2J"), "\\u009b2J");  // a terminal's escape, too
  EXPECT_EQ(Printable("\u202egnp"), "\\u202egnp");
}

TEST(PrintableTest, WhatIsNoUtf8IsShownByteByByte) {
  EXPECT_EQ(Printable("\xff\xfe"), "\\xff\\xfe");
  EXPECT_EQ(Printable("\xc3"), "\\xc3");           // cut off
  EXPECT_EQ(Printable("\xc3("), "\\xc3(");         // no continuation
  EXPECT_EQ(Printable("\xc0\x80"), "\\xc0\\x80");  // longer than needed
  EXPECT_EQ(Printable("\xe0\x80\x80"), "\\xe0\\x80\\x80");
  EXPECT_EQ(Printable("\xed\xa0\x80"), "\\xed\\xa0\\x80");  // a surrogate
  EXPECT_EQ(Printable("\xf4\x90\x80\x80"), "\\xf4\\x90\\x80\\x80");
}

}  // namespace
}  // namespace memplan
