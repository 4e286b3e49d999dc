"""The nine tests that came with the patch. They pass on both builds, which is the point of the demo."""

import unittest

import kv
from store import Store


class KeyValueTest(unittest.TestCase):
    def setUp(self):
        self.store = Store()

    def run_kv(self, *argv):
        return kv.run(self.store, list(argv))

    def test_set_succeeds(self):
        self.assertEqual(self.run_kv("set", "a", "1").status, 0)

    def test_get_gives_the_value(self):
        self.run_kv("set", "a", "1")
        self.assertEqual(self.run_kv("get", "a").facts["value"], "1")

    def test_get_of_a_missing_key_is_no_hit(self):
        self.assertEqual(self.run_kv("get", "a").facts["hit"], "false")

    def test_set_replaces_the_value(self):
        self.run_kv("set", "a", "1")
        self.run_kv("set", "a", "2")
        self.assertEqual(self.run_kv("get", "a").facts["value"], "2")

    def test_delete_removes_the_key(self):
        self.run_kv("set", "a", "1")
        self.run_kv("delete", "a")
        self.assertEqual(self.run_kv("get", "a").facts["hit"], "false")

    def test_delete_of_a_missing_key_leaves_the_others(self):
        self.run_kv("set", "a", "1")
        self.run_kv("delete", "b")
        self.assertEqual(self.run_kv("get", "a").facts["hit"], "true")

    def test_list_names_every_key(self):
        self.run_kv("set", "a", "1")
        self.run_kv("set", "b", "2")
        self.assertEqual(self.run_kv("list").facts["keys"], "a,b")

    def test_list_of_an_empty_store_is_empty(self):
        self.assertEqual(self.run_kv("list").facts["keys"], "")

    def test_an_unknown_command_fails(self):
        self.assertNotEqual(self.run_kv("badcmd").status, 0)


if __name__ == "__main__":
    unittest.main()
