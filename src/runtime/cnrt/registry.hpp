// The live objects behind the opaque pointers of a C API.
#pragma once

#include <map>
#include <memory>
#include <mutex>
#include <utility>

namespace mluop {

/// The live objects of one kind. A pointer that is not registered is rejected instead of dereferenced.
/// Constant-initialised and trivially destructible, because programs call the API from constructors and
/// destructors of their static objects.
template <class Owner>
class Registry {
 public:
  using Object = typename Owner::element_type;

  Object* add(Owner owner) {
    Object* const object = owner.get();
    const std::lock_guard lock{mutex_};
    if (live_ == nullptr) live_ = new Map;
    live_->emplace(object, std::move(owner));
    return object;
  }

  bool remove(const void* object) {
    typename Map::node_type removed;  // destroyed after the lock is released
    std::unique_ptr<Map> emptied;     // likewise
    const std::lock_guard lock{mutex_};
    if (live_ == nullptr) return false;
    removed = live_->extract(object);
    if (live_->empty()) emptied.reset(std::exchange(live_, nullptr));
    return !removed.empty();
  }

  /// Destroys all of them.
  void clear() {
    std::unique_ptr<Map> all;  // destroyed after the lock is released
    const std::lock_guard lock{mutex_};
    all.reset(std::exchange(live_, nullptr));
  }

  /// Calls use(owner) under the lock for the last object that does not begin after `address`; false if
  /// there is none.
  template <class Use>
  bool with_last_before(const void* address, Use&& use) {
    const std::lock_guard lock{mutex_};
    if (live_ == nullptr) return false;
    const auto after = live_->upper_bound(address);
    if (after == live_->begin()) return false;
    use(std::prev(after)->second);
    return true;
  }

  /// Calls use(owner) under the lock; false if there is no such object.
  template <class Use>
  bool with(const void* object, Use&& use) {
    bool found = false;
    with_last_before(object, [&](Owner& owner) {
      found = owner.get() == object;
      if (found) use(owner);
    });
    return found;
  }

  bool contains(const void* object) {
    return with(object, [](const Owner&) {});
  }

  void lock() { mutex_.lock(); }
  void unlock() { mutex_.unlock(); }

 private:
  using Map = std::map<const void*, Owner>;
  std::mutex mutex_;
  Map* live_ = nullptr;  // null while empty, so that an unloaded library leaks nothing
};

}  // namespace mluop
